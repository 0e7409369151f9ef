import type { StartSimulator } from "#connectors/toolkit/simulator/platform-simulator.ts";
import { startGitlabSimulator } from "./gitlab-simulator.ts";

/** Starts a GitLab and tells the settings that point the product at it. */
export const startSimulator: StartSimulator = async ({ port, directory, seed, gitRoot = null }) => {
  const { url, world, stop } = await startGitlabSimulator({ port, directory, seed, settings: { gitRoot } });
  const { clientId, clientSecret } = world.settings;
  return {
    url,
    vars: { GITLAB_URL: url, GITLAB_CLIENT_ID: clientId, GITLAB_CLIENT_SECRET: clientSecret },
    stop,
  };
};
