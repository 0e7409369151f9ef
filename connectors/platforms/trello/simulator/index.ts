import type { StartSimulator } from "#connectors/toolkit/simulator/platform-simulator.ts";
import { startTrelloSimulator, type TrelloSimulator } from "./trello-simulator.ts";

/** Starts a Trello and tells the settings that point the product at it. */
export const startSimulator: StartSimulator = async ({ port, directory, seed }) => {
  const simulator = await startTrelloSimulator({ port, directory, seed });
  return { url: simulator.url, vars: trelloVars(simulator), stop: simulator.stop };
};

/** The settings that point the product at a simulated Trello. */
export function trelloVars({ url, world }: TrelloSimulator): Record<string, string> {
  return {
    TRELLO_URL: url,
    TRELLO_API_URL: `${url}/1`,
    TRELLO_AUTH_URL: url,
    TRELLO_CLIENT_ID: world.settings.clientId,
    TRELLO_CLIENT_SECRET: world.settings.clientSecret,
    TRELLO_API_KEY: world.settings.apiKey,
  };
}
