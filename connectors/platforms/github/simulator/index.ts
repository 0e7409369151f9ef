import type { StartSimulator } from "#connectors/toolkit/simulator/platform-simulator.ts";
import { startGithubSimulator } from "./github-simulator.ts";

/** Starts a GitHub and tells the settings that point the product at it. */
export const startSimulator: StartSimulator = async ({ port, directory, seed, gitRoot = null }) => {
  const { webUrl, apiUrl, world, stop } = await startGithubSimulator({
    port,
    directory,
    seed,
    settings: { gitRoot },
  });
  const { clientId, clientSecret, appSlug } = world.settings;
  const vars = {
    GITHUB_WEB_URL: webUrl,
    GITHUB_API_URL: apiUrl,
    GITHUB_CLIENT_ID: clientId,
    GITHUB_CLIENT_SECRET: clientSecret,
    GITHUB_APP_SLUG: appSlug,
  };
  return { url: webUrl, vars, stop };
};
