import type { PlatformSetup } from "#connectors/contract/setup.ts";

/** The settings and the simulator of Jira. */
export const setup: PlatformSetup = {
  settings: [["JIRA_CLIENT_ID", "JIRA_CLIENT_SECRET"]],
  simulator: {
    offset: 11,
    listeners: ["simulated Jira", "files of the simulated Jira"],
    address: "JIRA_URL",
  },
};
