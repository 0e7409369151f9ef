/** Lower bounds of the layout widths in px (spec A-081). The style sheets' media queries use the same numbers. */
export const BREAKPOINTS = { xs: 0, sm: 600, md: 960, lg: 1280, xl: 1440 } as const;

/** Maximum widths of phones and tablets, where the layout depends on the device class (spec A-082). */
export const MOBILE_MAX = 767;
export const TABLET_MAX = 1280;

/** Up to this width, the sidebar is a drawer (spec A-079). */
export const DRAWER_MAX = 900;
