import { connectionRowsOf } from "#core/connections/index.ts";
import type { ConnectionView } from "#core/connections/views.ts";
import { REGIONS, type Region } from "#core/kernel/platform-id.ts";
import type { Member } from "#core/organisations/index.ts";
import type { Uses } from "#core/services.ts";
import { type ItemCountRow, listItemCountRows } from "./item-counts.store.ts";
import type { ItemFilter, ItemListView } from "./views.ts";

/** The organisation's counters in one region. Read once per read-only request. */
export function itemCountsOf(
  s: Uses<"memory" | "ledger">,
  region: Region,
  organisationId: string,
): Promise<ItemCountRow[]> {
  const read = () => listItemCountRows(s.ledger(region, organisationId), organisationId);
  return s.memory ? s.memory(`counts:${region}:${organisationId}`, read) : read();
}

/** Filters without counters: stale items depend on time, alarms are rows of their own. */
type Measured = "stale" | "alarm";

/** Sums the counters of a list: the items of one kind, in one place or in all. */
export function countsOfList(
  rows: readonly ItemCountRow[],
  list: { connectionId: string; kind: string; placeId: string | null },
): Record<Exclude<ItemFilter, Measured>, number> {
  const counts = { all: 0, failed: 0, never: 0, paused: 0, deleted: 0 };
  for (const row of rows) {
    if (row.connectionId !== list.connectionId || row.kind !== list.kind) continue;
    if (list.placeId !== null && row.placeId !== list.placeId) continue;
    counts.all += row.total;
    counts.failed += row.failed;
    counts.never += row.never;
    counts.paused += row.paused;
    counts.deleted += row.deleted;
  }
  return counts;
}

/** What each list of an account holds. */
export function holdingsOf(rows: readonly ItemCountRow[], connectionId: string): ItemListView["holdings"] {
  return rows
    .filter((row) => row.connectionId === connectionId && row.total > 0)
    .map(({ kind, placeId, total }) => ({ kind, placeId: placeId || null, count: total }));
}

/** Counts the organisation's protected items per platform, with one query per region that holds some. */
export async function countProtectedItems(
  s: Uses<"memory" | "ledger">,
  member: Member,
  connections: readonly Pick<ConnectionView, "region">[],
): Promise<ReadonlyMap<string, number>> {
  const regions = [...new Set(connections.map(({ region }) => region))];
  const counts = await Promise.all(regions.map((region) => itemCountsOf(s, region, member.organisationId)));
  const sums = new Map<string, number>();
  for (const { platform, total } of counts.flat()) sums.set(platform, (sums.get(platform) ?? 0) + total);
  return sums;
}

/**
 * Counts the items of a platform that use the quota, in every region where it has a connection. Skips the region in
 * `except`, because a statement in its ledger counts there itself.
 */
export async function countUsed(
  s: Uses<"memory" | "control" | "ledger">,
  organisationId: string,
  platform: string,
  except: Region | null = null,
): Promise<number> {
  const connections = await connectionRowsOf(s, organisationId, platform);
  const regions = [...new Set(connections.map(({ region }) => region))].filter((region) => region !== except);
  const counts = await Promise.all(regions.map((region) => itemCountsOf(s, region, organisationId)));
  return counts.flat().reduce((sum, row) => (row.platform === platform ? sum + row.total : sum), 0);
}

/** Counts the items of a platform that are backed up daily, in every region. */
export async function countDaily(
  s: Uses<"ledger">,
  organisationId: string,
  platform: string,
): Promise<number> {
  const counts = await Promise.all(
    REGIONS.map((region) => listItemCountRows(s.ledger(region, organisationId), organisationId)),
  );
  return counts
    .flat()
    .reduce((sum, row) => (row.platform === platform ? sum + row.total - row.paused - row.deleted : sum), 0);
}
