import { regionOf } from "#core/database/shards.ts";
import { logger } from "#core/kernel/logger.ts";
import type { Uses } from "#core/services.ts";
import { saveSizes, sizeOf } from "./placement.store.ts";

const log = logger("placement");

/**
 * Every hour: notes how full the ledgers of regions with several are, so that new organisations go to the emptiest
 * (`core/organisations/organisation.store.ts`). A ledger that does not answer is left out and gets none.
 */
export async function measureShards(s: Uses<"clock" | "control" | "ledger" | "shards">): Promise<void> {
  const count = Map.groupBy(s.shards, regionOf);
  const split = s.shards.filter((shard) => count.get(regionOf(shard))!.length > 1);
  const answers = await Promise.allSettled(
    split.map(async (shard) => ({ shard, sizeBytes: await sizeOf(s.ledger(shard)) })),
  );
  const sizes = answers.flatMap((answer, at) => {
    if (answer.status === "fulfilled") return [answer.value];
    log.error("the ledger {shard} could not be measured", { shard: split[at], cause: answer.reason });
    return [];
  });
  await saveSizes(s.control, sizes, s.clock.now());
}
