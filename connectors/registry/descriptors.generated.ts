// Written by connectors/registry/generate.ts; run `npm run generate` after adding a platform or a storage.

import type { PlatformDescriptor } from "#connectors/contract/descriptor.ts";
import type { PlatformUi } from "#connectors/contract/platform-ui.ts";
import { descriptor as githubDescriptor } from "#connectors/platforms/github/descriptor.ts";
import { ui as githubUi } from "#connectors/platforms/github/ui.tsx";
import { descriptor as gitlabDescriptor } from "#connectors/platforms/gitlab/descriptor.ts";
import { ui as gitlabUi } from "#connectors/platforms/gitlab/ui.tsx";
import { descriptor as jiraDescriptor } from "#connectors/platforms/jira/descriptor.ts";
import { ui as jiraUi } from "#connectors/platforms/jira/ui.tsx";
import { descriptor as notionDescriptor } from "#connectors/platforms/notion/descriptor.ts";
import { ui as notionUi } from "#connectors/platforms/notion/ui.tsx";
import { descriptor as trelloDescriptor } from "#connectors/platforms/trello/descriptor.ts";
import { ui as trelloUi } from "#connectors/platforms/trello/ui.tsx";

/** Every platform's facts, in order of its id. Safe for the browser. */
export const descriptors: readonly PlatformDescriptor[] = [githubDescriptor, gitlabDescriptor, jiraDescriptor, notionDescriptor, trelloDescriptor];

/** Marks by platform id. */
export const uis: Readonly<Record<string, PlatformUi>> = { "github": githubUi, "gitlab": gitlabUi, "jira": jiraUi, "notion": notionUi, "trello": trelloUi };

