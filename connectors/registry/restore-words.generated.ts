// Written by connectors/registry/generate.ts; run `npm run generate` after adding a platform or a storage.

import type { RestoreWords } from "#connectors/contract/platform-ui.ts";
import { restoreWords as github } from "#connectors/platforms/github/restore-words.ts";
import { restoreWords as gitlab } from "#connectors/platforms/gitlab/restore-words.ts";
import { restoreWords as jira } from "#connectors/platforms/jira/restore-words.ts";
import { restoreWords as notion } from "#connectors/platforms/notion/restore-words.ts";
import { restoreWords as trello } from "#connectors/platforms/trello/restore-words.ts";

/** What people are told before they restore, by platform id. */
export const restoreWords: Readonly<Record<string, RestoreWords>> = { "github": github, "gitlab": gitlab, "jira": jira, "notion": notion, "trello": trello };
