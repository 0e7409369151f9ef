import type { PlatformSetup } from "#connectors/contract/setup.ts";

/** The settings and the simulator of GitHub. */
export const setup: PlatformSetup = {
  settings: [["GITHUB_CLIENT_ID", "GITHUB_CLIENT_SECRET"]],
  simulator: { offset: 1, listeners: ["simulated GitHub"], address: "GITHUB_WEB_URL" },
};
