import type { StorageConnector } from "#connectors/contract/storage-connector.ts";
import { authoriser } from "./authorize.ts";
import { descriptor } from "./descriptor.ts";
import { findFile, removeFile } from "./find.ts";
import { put } from "./put.ts";

/** Google Drive, assembled. It forgets unfinished uploads by itself and does not count them, so there is nothing to abandon. */
export const connector = {
  descriptor,
  authoriser,
  put,
  find: findFile,
  remove: removeFile,
} satisfies StorageConnector;
