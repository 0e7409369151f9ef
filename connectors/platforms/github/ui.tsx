import type { PlatformUi } from "#connectors/contract/platform-ui.ts";
import { LOGO } from "./logo.ts";

/** GitHub's logo, and how to set up an organisation (spec P-053). */
export const ui = {
  Logo: ({ size = 20 }) => (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <path d={LOGO} />
    </svg>
  ),
  placeGuide: {
    label: "How to set up an organisation",
    title: "Set up an organisation on GitHub",
    steps: [
      "Sign in to GitHub as an owner of the organisation.",
      "In the organisation's settings, allow the Holdfast app to read its repositories, or approve the request that a member sent.",
      "Come back here and press Add place; the organisation is then in the list.",
    ],
  },
} satisfies PlatformUi;
