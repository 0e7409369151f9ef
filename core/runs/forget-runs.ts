import type { Shard } from "#core/database/shards.ts";
import type { Look, Uses } from "#core/services.ts";
import { deleteUnshown } from "./forget-runs.store.ts";
import { FORGET_AFTER_MS, FORGOTTEN_AT_ONCE, FORGOTTEN_LOOKS } from "./limits.ts";

/**
 * Deletes the rows of ended runs that nothing shows: successful checks, repacks, copies and deletions, and superseded
 * backups. Each version brings at least one, so they would grow for ever. The audit trail and failures stay.
 *
 * @returns `done`: how many rows were deleted
 */
export async function forgetRuns(s: Uses<"clock" | "ledger">, shard: Shard): Promise<Look> {
  const order = { before: s.clock.now() - FORGET_AFTER_MS, limit: FORGOTTEN_AT_ONCE };
  let done = 0;
  for (let look = 0; look < FORGOTTEN_LOOKS; look++) {
    const { runs, journal } = await deleteUnshown(s.ledger(shard), order);
    done += runs + journal;
    if (runs < order.limit && journal < order.limit) return { done, hasMore: false };
  }
  return { done, hasMore: true };
}
