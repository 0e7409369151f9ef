import type { Shard } from "#core/database/shards.ts";
import type { Look, Uses } from "#core/services.ts";
import { deleteUnshown } from "./forget-runs.store.ts";
import { FOLD_AFTER_MS, FORGOTTEN_AT_ONCE, FORGOTTEN_LOOKS, NEEDED_FOR_MS } from "./limits.ts";

/**
 * Deletes the rows of ended runs that nothing shows: successful checks, repacks, copies and deletions, and superseded
 * backups. Nearly each version brings one, so they would grow for ever. The audit trail and failures stay.
 *
 * @returns `done`: how many rows were deleted
 */
export async function forgetRuns(s: Uses<"clock" | "ledger">, shard: Shard): Promise<Look> {
  const now = s.clock.now();
  const order = { before: now - FOLD_AFTER_MS, limit: FORGOTTEN_AT_ONCE };
  let done = 0;
  for (let look = 0; look < FORGOTTEN_LOOKS; look++) {
    const { runs, needed, journal } = await deleteUnshown(s.ledger(shard), {
      ...order,
      needed: now - NEEDED_FOR_MS,
    });
    done += runs + needed + journal;
    if (Math.max(runs, needed, journal) < order.limit) return { done, hasMore: false };
  }
  return { done, hasMore: true };
}
