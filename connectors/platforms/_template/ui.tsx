import type { PlatformUi } from "#connectors/contract/platform-ui.ts";
import { LOGO } from "./logo.ts";

/** The platform's logo. */
export const ui = {
  Logo: ({ size = 20 }) => (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <path d={LOGO} />
    </svg>
  ),
} satisfies PlatformUi;
