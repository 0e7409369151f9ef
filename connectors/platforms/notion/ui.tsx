import type { PlatformUi } from "#connectors/contract/platform-ui.ts";
import { LOGO } from "./logo.ts";

/** Notion's logo, and its texts about the pages that a person picks on the consent page. */
export const ui = {
  Logo: ({ size = 20 }) => (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <path d={LOGO} />
    </svg>
  ),
  picking: {
    guide: {
      label: "How to choose pages",
      title: "Choose what Holdfast backs up",
      steps: [
        "Press Choose at Notion below and sign in as the owner of the pages.",
        "Pick the workspace on the page that opens. Each consent covers one workspace.",
        "Press Select pages and tick the pages and databases to protect. Everything below a ticked page comes with it.",
        "Press Allow access. Notion brings you back, and the next backup covers what you picked.",
        "A page that you add later outside of these: open it in Notion, choose ••• and Connections, and add Holdfast.",
      ],
    },
    reminder:
      "Pages that you add in Notion later must be shared with Holdfast, unless they are below a shared page.",
    reads: "The pages and databases that you pick at Notion, and everything below them.",
    renews:
      "Nothing else is needed. Renew the access to pick other pages: later backups cover what is picked then.",
    changeWarning: (account) =>
      `What you pick at Notion next takes the place of what is backed up for ${account}: later backups cover only the selected pages. If somebody else signs in there, or another workspace is picked, all backups of ${account} are deleted at once and for good. Nothing changes at Notion itself.`,
  },
} satisfies PlatformUi;
