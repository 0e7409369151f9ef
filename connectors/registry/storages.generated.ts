// Written by connectors/registry/generate.ts; run `npm run generate` after adding a platform or a storage.

import type { StorageConnector } from "#connectors/contract/storage-connector.ts";
import { configSchema as dropboxConfigSchema } from "#connectors/storages/dropbox/authorize.ts";
import { connector as dropboxConnector } from "#connectors/storages/dropbox/connector.ts";
import { configSchema as googleDriveConfigSchema } from "#connectors/storages/google-drive/authorize.ts";
import { connector as googleDriveConnector } from "#connectors/storages/google-drive/connector.ts";
import { configSchema as s3ConfigSchema } from "#connectors/storages/s3/authorize.ts";
import { connector as s3Connector } from "#connectors/storages/s3/connector.ts";
import type { ConfigSchema } from "./config-schema.ts";

/** A storage as the engine and the doors know it. */
export type Storage = { connector: StorageConnector; configSchema: ConfigSchema };

/** Every storage, in order of its folder. Server code. */
export const storages: readonly Storage[] = [
  { connector: dropboxConnector, configSchema: dropboxConfigSchema },
  { connector: googleDriveConnector, configSchema: googleDriveConfigSchema },
  { connector: s3Connector, configSchema: s3ConfigSchema },
];
