import type { PlatformSetup } from "#connectors/contract/setup.ts";

/** The settings and the simulator of Trello: OAuth 2.0, or the key of the older token page. */
export const setup: PlatformSetup = {
  settings: [["TRELLO_CLIENT_ID", "TRELLO_CLIENT_SECRET"], ["TRELLO_API_KEY"]],
  simulator: {
    offset: 5,
    listeners: ["simulated Trello", "files of the simulated Trello"],
    address: "TRELLO_URL",
  },
};
