import type { Uses } from "#core/services.ts";
import { listRemovals } from "./removal.store.ts";

/** What was removed of a platform, and when (epoch ms). */
export type RemovedHoldings = { at: number; items: number; versions: number };

/** The last removal of each platform that removed something. */
export async function listRemovedHoldings(
  s: Uses<"control">,
  organisationId: string,
): Promise<ReadonlyMap<string, RemovedHoldings>> {
  const removed = new Map<string, RemovedHoldings>();
  for (const row of await listRemovals(s.control, organisationId)) {
    if (row.finishedAt === null || removed.has(row.platform)) continue;
    removed.set(row.platform, {
      at: row.finishedAt,
      items: row.items - row.itemsLeft,
      versions: row.versions - row.versionsLeft,
    });
  }
  return removed;
}
