import type { PlatformUi } from "#connectors/contract/platform-ui.ts";

/** The platform's mark and its words about restoring. */
export const ui = {
  Logo: ({ size = 20 }) => (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <path d="M3 3h7v18H3zM14 3h7v11h-7z" />
    </svg>
  ),
  restore: {
    comesBack: { board: ["The board with its description and every card in its order."] },
    cannot: { board: ["Authors: the platform gives every restored card to the connected account."] },
    options: [],
  },
} satisfies PlatformUi;
