import type { RestoreOrder, Session } from "#connectors/contract/platform-connector.ts";
import type { RestorePlan } from "#connectors/contract/restore-plan.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { openPlanSheet } from "#connectors/toolkit/records/plan-sheet.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import { entryKinds } from "../entry-kinds.ts";
import { cardsOfOrder } from "../restore/cards-of-order.ts";

/** The platform's rate limits for one account. `restore` must stay within the same limits. */
const LIMITS = [{ of: "calls", resource: null, most: 600, periodMs: MINUTE_MS }] as const;

/** Plans a restore: counts what `restore` would create, part by part and in the same order. */
export async function planRestore(
  _account: Pick<Session, "accountName">,
  snapshot: SnapshotView,
  order: RestoreOrder,
): Promise<RestorePlan> {
  const sheet = openPlanSheet(entryKinds, LIMITS);
  if (order.target.kind === "new") {
    sheet.creates("board", 1);
    sheet.spend({ writes: 1, creations: 1 });
  } else sheet.spend({ reads: 1 });
  let cards = 0;
  if (order.part === null) cards = snapshot.counts().card ?? 0;
  else for await (const _ of cardsOfOrder(snapshot, order)) cards += 1;
  sheet.creates("card", cards);
  sheet.spend({ writes: cards, creations: cards });
  return sheet.done();
}
