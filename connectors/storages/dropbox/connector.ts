import type { StorageConnector } from "#connectors/contract/storage-connector.ts";
import { authoriser } from "./authorize.ts";
import { descriptor } from "./descriptor.ts";
import { findFile, removeFile } from "./find.ts";
import { put } from "./put.ts";

/** The Dropbox connector. No `abandon`: Dropbox deletes unfinished uploads by itself and does not count their size. */
export const connector = {
  descriptor,
  authoriser,
  put,
  find: findFile,
  remove: removeFile,
} satisfies StorageConnector;
