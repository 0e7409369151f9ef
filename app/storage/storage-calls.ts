import * as z from "zod/mini";
import { callApi } from "#app/api/call-api.ts";
import { type StorageOverview, storageOverviewSchema } from "./storage.schema.ts";

/** The calls of external storage (spec part 2 section 7). All of them reject with an ApiError. */

/** Fetches the connected storage and what is copied there. */
export async function fetchStorage(signal?: AbortSignal): Promise<StorageOverview> {
  const { result } = await callApi("user/get-cloud-storages", { schema: storageOverviewSchema, signal });
  return result;
}

/** URL of the storage's consent page. `platform` is the first whose versions are copied. */
export async function storageConsentUrl(kind: string, platform: string | null): Promise<string> {
  const { result } = await callApi("user/get-cloud-storage-auth-url", {
    query: { cloudStorageName: kind, platform },
    schema: z.object({ url: z.string() }),
  });
  return result.url;
}

/** Connects a storage by keys, at the path from its descriptor. */
export async function connectByKeys(
  path: string,
  keys: Readonly<Record<string, string>>,
  platform: string | null,
): Promise<void> {
  await callApi(`user/${path}`, { method: "POST", body: { ...keys, ...(platform && { platform }) } });
}

/** Disconnects the storage. Its files are kept. */
export async function disconnectStorage(kind: string): Promise<void> {
  await callApi("user/remove-user-cloud-storage", { method: "PUT", body: { cloudStorageName: kind } });
}

/** Sets the platforms whose new versions are copied. */
export async function saveCopiedPlatforms(copied: Readonly<Record<string, string[]>>): Promise<void> {
  await callApi("user/add-platforms-backup-cloud-storages", {
    method: "POST",
    body: { platformsWithCloudStorages: copied },
  });
}
