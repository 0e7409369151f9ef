import { callApi, type ResultOf } from "#app/api/call-api.ts";
import { callStorageForm } from "#app/api/call-storage-form.ts";

/** The calls of external storage (spec part 2 section 7). All of them reject with an ApiError. */

/** The connected storage, what is copied there and what failed. */
export type StorageOverview = ResultOf<"GET user/get-cloud-storages">;

/** The connected storage. */
export type ConnectedStorage = StorageOverview["storages"][number];

/** Fetches the connected storage and what is copied there. */
export async function fetchStorage(signal?: AbortSignal): Promise<StorageOverview> {
  return (await callApi("GET user/get-cloud-storages", {}, { signal })).result;
}

/** URL of the storage's consent page. `platform` is the first whose versions are copied. */
export async function storageConsentUrl(kind: string, platform: string | null): Promise<string> {
  const { result } = await callApi("GET user/get-cloud-storage-auth-url", {
    cloudStorageName: kind,
    platform,
  });
  return result.url;
}

/** Connects a storage by keys, at the path from its descriptor. */
export async function connectByKeys(
  path: string,
  keys: Readonly<Record<string, string>>,
  platform: string | null,
): Promise<void> {
  await callStorageForm(path, { ...keys, ...(platform && { platform }) });
}

/** Disconnects the storage. Its files are kept. */
export async function disconnectStorage(kind: string): Promise<void> {
  await callApi("PUT user/remove-user-cloud-storage", { cloudStorageName: kind });
}

/** Sets the platforms whose new versions are copied. */
export async function saveCopiedPlatforms(copied: Readonly<Record<string, string[]>>): Promise<void> {
  await callApi("POST user/add-platforms-backup-cloud-storages", { platformsWithCloudStorages: copied });
}
