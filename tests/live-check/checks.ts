import type { LiveCheck } from "./live-check.ts";
import { github } from "./platforms/github.ts";
import { gitlab } from "./platforms/gitlab.ts";
import { jira } from "./platforms/jira.ts";
import { notion } from "./platforms/notion.ts";
import { trello } from "./platforms/trello.ts";

/** The live checks by platform. */
export const checks: Readonly<Record<string, LiveCheck>> = { github, gitlab, jira, notion, trello };
