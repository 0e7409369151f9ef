// Written by connectors/registry/generate.ts; run `npm run generate` after adding a platform or a storage.

import type { PlatformSetup } from "#connectors/contract/setup.ts";
import { setup as github } from "#connectors/platforms/github/setup.ts";
import { setup as gitlab } from "#connectors/platforms/gitlab/setup.ts";
import { setup as jira } from "#connectors/platforms/jira/setup.ts";
import { setup as notion } from "#connectors/platforms/notion/setup.ts";
import { setup as trello } from "#connectors/platforms/trello/setup.ts";

/** What is set up on a machine, by platform id. */
export const setups: Readonly<Record<string, PlatformSetup>> = { "github": github, "gitlab": gitlab, "jira": jira, "notion": notion, "trello": trello };
