// Written by connectors/registry/generate.ts; run `npm run generate` after adding a platform or a storage.

import type { StorageDescriptor, StorageUi } from "#connectors/contract/storage-descriptor.ts";

/** Every storage's facts, in order of its folder. Safe for the browser. */
export const storageDescriptors: readonly StorageDescriptor[] = [];

/** Marks by the id of the storage. */
export const storageUis: Readonly<Record<string, StorageUi>> = {  };
