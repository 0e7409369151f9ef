import type { StorageConnector } from "#connectors/contract/storage-connector.ts";
import { authoriser } from "./authorize.ts";
import { descriptor } from "./descriptor.ts";
import { findObject, removeObject } from "./find.ts";
import { abandon, put } from "./put.ts";

/** The Amazon S3 connector. */
export const connector = {
  descriptor,
  authoriser,
  put,
  find: findObject,
  remove: removeObject,
  abandon,
} satisfies StorageConnector;
