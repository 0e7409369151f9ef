import * as z from "zod/mini";
import { callApi } from "#app/api/call-api.ts";
import { type CalledAccount, callPlatform, isOffered } from "#app/api/call-platform.ts";
import type { RestorePoints } from "#app/bulk/bulk-rules.ts";
import type { PlaceView } from "#core/connections/views.ts";
import type { ItemView } from "#core/inventory/views.ts";

const viewsOf = <View>() =>
  z.pipe(
    z.array(z.looseObject({ view: z.custom<View>((value) => typeof value === "object" && value !== null) })),
    z.transform((rows) => rows.map(({ view }) => view)),
  );

/** Fetches the versions of all items in one call (spec P-392). */
export async function fetchRestorePoints(
  platform: string,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<RestorePoints> {
  const point = z.object({ version: z.string(), date: z.number(), size: z.number() });
  const { result } = await callApi("user/get-items-versions", {
    method: "POST",
    body: { platform, ids },
    schema: z.record(z.string(), z.array(point)),
    signal,
  });
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
  const { result } = await callPlatform(
    { ...account, does, kind },
    {},
    { schema: viewsOf<PlaceView>(), signal },
  );
  return result;
}

/** Items that can be added to the restore. */
export type PickPage = { items: ItemView[]; total: number };

/** One page of the account's protected items. */
export async function fetchPickable(
  account: CalledAccount,
  { kind, placeId, page, name }: { kind: string; placeId: string | null; page: number; name: string },
  signal?: AbortSignal,
): Promise<PickPage> {
  const { result, body } = await callPlatform(
    { ...account, does: "list-items", kind },
    { page, perPage: 20, placeId, name: name || null },
    { schema: viewsOf<ItemView>(), signal },
  );
  return {
    items: result,
    total: z.looseObject({ totalItemsNumber: z.number() }).parse(body).totalItemsNumber,
  };
}

/** Starts the restores. */
export async function sendRestores(platform: string, kind: string, request: Record<string, unknown>) {
  await callPlatform({ platform, does: "restore-items", kind }, request);
}
