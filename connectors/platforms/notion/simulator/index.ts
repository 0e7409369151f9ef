import type { StartSimulator } from "#connectors/toolkit/simulator/platform-simulator.ts";
import { type NotionSimulator, startNotionSimulator } from "./notion-simulator.ts";

/** Starts a Notion and returns the settings that point the product at it. */
export const startSimulator: StartSimulator = async ({ port, directory, seed }) => {
  const simulator = await startNotionSimulator({ port, directory, seed });
  return { url: simulator.url, vars: notionVars(simulator), stop: simulator.stop };
};

/** The settings that point the product at a simulated Notion. */
export function notionVars({ url, world }: NotionSimulator): Record<string, string> {
  return {
    NOTION_URL: url,
    NOTION_API_URL: url,
    NOTION_CLIENT_ID: world.settings.clientId,
    NOTION_CLIENT_SECRET: world.settings.clientSecret,
  };
}
