import type { PlatformUi } from "#connectors/contract/platform-ui.ts";

/** The logo: an open book. */
export const ui = {
  Logo: ({ size = 20 }) => (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <path d="M11 5.2C8.6 3.6 5.5 3 2 3v16c3.5 0 6.6.6 9 2.2zM13 5.2v16c2.4-1.6 5.5-2.2 9-2.2V3c-3.5 0-6.6.6-9 2.2z" />
    </svg>
  ),
} satisfies PlatformUi;
