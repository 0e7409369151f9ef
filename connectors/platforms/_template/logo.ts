/** The platform's logo, an SVG path in a box of 24 by 24. */
export const LOGO = "M3 3h7v18H3zM14 3h7v11h-7z";
