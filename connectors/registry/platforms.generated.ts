// Written by connectors/registry/generate.ts; run `npm run generate` after adding a platform or a storage.

import type { EndpointTable } from "#connectors/contract/endpoints.ts";
import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import { configSchema as githubConfigSchema } from "#connectors/platforms/github/authorize.ts";
import { connector as githubConnector } from "#connectors/platforms/github/connector.ts";
import { endpoints as githubEndpoints } from "#connectors/platforms/github/endpoints.ts";
import { configSchema as gitlabConfigSchema } from "#connectors/platforms/gitlab/authorize.ts";
import { connector as gitlabConnector } from "#connectors/platforms/gitlab/connector.ts";
import { endpoints as gitlabEndpoints } from "#connectors/platforms/gitlab/endpoints.ts";
import { configSchema as jiraConfigSchema } from "#connectors/platforms/jira/authorize.ts";
import { connector as jiraConnector } from "#connectors/platforms/jira/connector.ts";
import { endpoints as jiraEndpoints } from "#connectors/platforms/jira/endpoints.ts";
import { configSchema as notionConfigSchema } from "#connectors/platforms/notion/authorize.ts";
import { connector as notionConnector } from "#connectors/platforms/notion/connector.ts";
import { endpoints as notionEndpoints } from "#connectors/platforms/notion/endpoints.ts";
import { configSchema as trelloConfigSchema } from "#connectors/platforms/trello/authorize.ts";
import { connector as trelloConnector } from "#connectors/platforms/trello/connector.ts";
import { endpoints as trelloEndpoints } from "#connectors/platforms/trello/endpoints.ts";
import type { ConfigSchema } from "./config-schema.ts";

/** A platform as the engine and the doors know it. */
export type Platform = { connector: PlatformConnector; endpoints: EndpointTable; configSchema: ConfigSchema };

/** Every platform, in order of its id. Server code. */
export const platforms: readonly Platform[] = [
  { connector: githubConnector, endpoints: githubEndpoints, configSchema: githubConfigSchema },
  { connector: gitlabConnector, endpoints: gitlabEndpoints, configSchema: gitlabConfigSchema },
  { connector: jiraConnector, endpoints: jiraEndpoints, configSchema: jiraConfigSchema },
  { connector: notionConnector, endpoints: notionEndpoints, configSchema: notionConfigSchema },
  { connector: trelloConnector, endpoints: trelloEndpoints, configSchema: trelloConfigSchema },
];
