import type { PlatformUi } from "#connectors/contract/platform-ui.ts";

/** The platform's logo. */
export const ui = {
  Logo: ({ size = 20 }) => (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <path d="M3 3h7v18H3zM14 3h7v11h-7z" />
    </svg>
  ),
} satisfies PlatformUi;
