import type { PlanWatch } from "#core/billing/index.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import type { Look, Uses } from "#core/services.ts";
import { checkAgain, expire, prune, queueRepacks } from "#core/upkeep/index.ts";

/** Plans that keep no version for longer than it says itself, for tests that let versions expire at will. */
export const plansOfNobody: Pick<PlanWatch, "look" | "keptUntil"> = {
  look: async () => undefined,
  keptUntil: () => null,
};

/** Runs the hourly duties over a ledger. Repeats each one until no work is left. */
export async function nightWatch(
  s: Uses<"clock" | "ids" | "control" | "ledger" | "bucket" | "queue">,
  region: Region,
  plans?: typeof plansOfNobody,
): Promise<void> {
  const looks = [(): Promise<Look> => expire(s, region, plans), prune, checkAgain, queueRepacks];
  for (const look of looks) while ((await look(s, region)).hasMore);
}
