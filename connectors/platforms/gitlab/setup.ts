import type { PlatformSetup } from "#connectors/contract/setup.ts";

/** The settings and the simulator of GitLab. */
export const setup: PlatformSetup = {
  settings: [["GITLAB_CLIENT_ID", "GITLAB_CLIENT_SECRET"]],
  simulator: { listeners: [{ offset: 4, what: "simulated GitLab" }], address: "GITLAB_URL" },
};
