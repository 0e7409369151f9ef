// Written by connectors/registry/generate.ts; run `npm run generate` after adding a platform or a storage.

import type { StorageDescriptor, StorageUi } from "#connectors/contract/storage-descriptor.ts";
import { descriptor as dropboxDescriptor } from "#connectors/storages/dropbox/descriptor.ts";
import { ui as dropboxUi } from "#connectors/storages/dropbox/ui.tsx";
import { descriptor as googleDriveDescriptor } from "#connectors/storages/google-drive/descriptor.ts";
import { ui as googleDriveUi } from "#connectors/storages/google-drive/ui.tsx";
import { descriptor as s3Descriptor } from "#connectors/storages/s3/descriptor.ts";
import { ui as s3Ui } from "#connectors/storages/s3/ui.tsx";

/** Every storage's facts, in order of its folder. Safe for the browser. */
export const storageDescriptors: readonly StorageDescriptor[] = [dropboxDescriptor, googleDriveDescriptor, s3Descriptor];

/** Marks by the id of the storage. */
export const storageUis: Readonly<Record<string, StorageUi>> = { [dropboxDescriptor.id]: dropboxUi, [googleDriveDescriptor.id]: googleDriveUi, [s3Descriptor.id]: s3Ui };
