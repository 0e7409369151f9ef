// Written by connectors/registry/generate.ts; run `npm run generate` after adding a platform or a storage.

import { startSimulator as github } from "#connectors/platforms/github/simulator/index.ts";
import { startSimulator as gitlab } from "#connectors/platforms/gitlab/simulator/index.ts";
import { startSimulator as jira } from "#connectors/platforms/jira/simulator/index.ts";
import { startSimulator as notion } from "#connectors/platforms/notion/simulator/index.ts";
import { startSimulator as trello } from "#connectors/platforms/trello/simulator/index.ts";
import type { StartSimulator } from "#connectors/toolkit/simulator/platform-simulator.ts";

/** What starts the simulators, by platform id. Only for tests and `npm start`. */
export const simulators: Readonly<Record<string, StartSimulator>> = { "github": github, "gitlab": gitlab, "jira": jira, "notion": notion, "trello": trello };
