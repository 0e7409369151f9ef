import { callApi } from "#app/api/call-api.ts";
import { type CalledAccount, callPlatform, isOffered, type PlatformInputOf } from "#app/api/call-platform.ts";
import type { RestorePoints } from "#app/bulk/bulk-rules.ts";
import { restoreWords } from "#connectors/registry/restore-words.generated.ts";
import type { PlaceView } from "#core/connections/views.ts";
import type { ItemView } from "#core/inventory/views.ts";

/** Fetches the versions of all items in one call (spec P-392). */
export async function fetchRestorePoints(
  platform: string,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<RestorePoints> {
  const { result } = await callApi("POST user/get-items-versions", { platform, ids: [...ids] }, { signal });
  return Object.fromEntries(
    Object.entries(result).map(([id, points]) => [
      id,
      points.map(({ version, date, size }) => ({ snapshotId: version, date, sizeBytes: size })),
    ]),
  );
}

/** The possible target places: the added ones, or all of the account's if none are added. */
export async function fetchPlaces(
  account: CalledAccount,
  kind: string,
  signal?: AbortSignal,
): Promise<PlaceView[]> {
  const ways = ["list-places", "list-restore-places"] as const;
  const does = ways.find((way) => isOffered({ ...account, does: way, kind }));
  if (does === undefined) return [];
  const { result } = await callPlatform({ ...account, does, kind }, {}, { signal });
  return result.map(({ view }) => view);
}

/** Items that can be added to the restore. */
export type PickPage = { items: ItemView[]; total: number };

/** One page of the account's protected items. */
export async function fetchPickable(
  account: CalledAccount,
  { kind, placeId, page, name }: { kind: string; placeId: string | null; page: number; name: string },
  signal?: AbortSignal,
): Promise<PickPage> {
  const { result, beside } = await callPlatform(
    { ...account, does: "list-items", kind },
    { page, perPage: 20, placeId, name: name || null },
    { signal },
  );
  return { items: result.map(({ view }) => view), total: beside.totalItemsNumber };
}

/** Starts the restores. */
export async function sendRestores(
  platform: string,
  kind: string,
  request: PlatformInputOf<"restore-items">,
) {
  const fallback = restoreWords[platform]?.failed;
  await callPlatform({ platform, does: "restore-items", kind }, request, { fallback });
}
