import { checkAgain, expire, prune, queueRepacks } from "#core/backups/index.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import type { CoreServices } from "#core/services.ts";

/** One hour's watch over a ledger as the clock asks for it: each look is repeated until nothing is left. */
export async function nightWatch(s: CoreServices, region: Region): Promise<void> {
  for (const look of [expire, prune, checkAgain, queueRepacks]) while ((await look(s, region)).hasMore);
}
