import type { Region } from "#core/kernel/platform-id.ts";
import type { Uses } from "#core/services.ts";
import { checkAgain, expire, prune, queueRepacks } from "#core/upkeep/index.ts";

/** Runs the hourly duties over a ledger. Repeats each one until no work is left. */
export async function nightWatch(
  s: Uses<"clock" | "ids" | "ledger" | "bucket" | "queue">,
  region: Region,
): Promise<void> {
  for (const look of [expire, prune, checkAgain, queueRepacks]) while ((await look(s, region)).hasMore);
}
