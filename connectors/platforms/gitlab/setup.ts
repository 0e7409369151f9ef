import type { PlatformSetup } from "#connectors/contract/setup.ts";

/** The settings and the simulator of GitLab. */
export const setup: PlatformSetup = {
  settings: [["GITLAB_CLIENT_ID", "GITLAB_CLIENT_SECRET"]],
  simulator: { offset: 4, listeners: ["simulated GitLab"], address: "GITLAB_URL" },
};
