import type { Shard } from "#core/database/shards.ts";
import type { Uses } from "#core/services.ts";

/** What a move needs: both planes, and the names of the ledgers. */
export type MoveServices = Uses<"clock" | "control" | "ledger" | "shards">;

/**
 * What a command did. `copied`: a pass found so many differences; the organisation can write as long as it is not closed.
 * `waits`: the rows of a ledger that the organisation left can be removed from that time on.
 */
export type MoveEvent =
  | { type: "copied"; changed: number; isClosed: boolean }
  | { type: "moved"; source: Shard; target: Shard }
  | { type: "waits"; shard: Shard; until: number }
  | { type: "removed"; shard: Shard; rows: number };
