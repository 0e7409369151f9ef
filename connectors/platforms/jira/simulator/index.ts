import type { StartSimulator } from "#connectors/toolkit/simulator/platform-simulator.ts";
import { type JiraSimulator, startJiraSimulator } from "./jira-simulator.ts";

/** Starts a Jira and tells the settings that point the product at it. */
export const startSimulator: StartSimulator = async ({ port, directory, seed }) => {
  const simulator = await startJiraSimulator({ port, directory, seed });
  return { url: simulator.url, vars: jiraVars(simulator), stop: simulator.stop };
};

/** The settings that point the product at a simulated Jira. */
export function jiraVars({ url, world }: JiraSimulator): Record<string, string> {
  return {
    JIRA_URL: url,
    JIRA_API_URL: url,
    JIRA_AUTH_URL: url,
    JIRA_CLIENT_ID: world.settings.clientId,
    JIRA_CLIENT_SECRET: world.settings.clientSecret,
  };
}
