import type { PlatformSetup } from "#connectors/contract/setup.ts";

/** The settings and the simulator of Notion. */
export const setup: PlatformSetup = {
  settings: [["NOTION_CLIENT_ID", "NOTION_CLIENT_SECRET"]],
  simulator: {
    offset: 13,
    listeners: ["simulated Notion", "files of the simulated Notion"],
    address: "NOTION_URL",
  },
};
