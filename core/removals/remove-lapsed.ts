import { auditStatement, OURSELVES } from "#core/audit/index.ts";
import { countPlatformHoldings, removePlatformItems } from "#core/inventory/index.ts";
import { logger } from "#core/kernel/logger.ts";
import { endLapsed, isLapseClear, syncCustomer } from "#core/payments/index.ts";
import type { Uses } from "#core/services.ts";
import { judge } from "./judge.ts";
import { BATCHES_PER_SLICE, REMOVALS_AT_ONCE } from "./limits.ts";
import {
  beginRemoval,
  endRemoval,
  isEndedAt,
  listDueRemovals,
  lookAtRemoval,
  type RemovalRow,
  readStanding,
} from "./removal.store.ts";

const log = logger("removals");
const REASON = "The backups were removed because the plan had ended.";

type EndServices = Uses<"clock" | "ids" | "control" | "ledger">;
type RemovalServices = EndServices & Uses<"queue" | "live" | "payments">;

/** Every hour: queues the removals that may begin or go on. */
export async function queueRemovals(s: Uses<"clock" | "control" | "queue">): Promise<void> {
  const due = await listDueRemovals(s.control, s.clock.now(), REMOVALS_AT_ONCE);
  if (due.length > 0)
    await s.queue.send(due.map((removalId) => ({ job: "remove-lapsed", payload: { removalId } })));
}

/**
 * One slice of a removal: what an ended platform held goes, item by item, and each item is whole or gone. The payment
 * provider is asked first, so that a payment that we have not heard of stops it, and the right is read again before every
 * batch: what is not removed by then stays. It may die at any point, be repeated, or run twice at once.
 *
 * @throws PaymentError, AppError when the provider cannot be asked; nothing is removed, and the next tick tries again
 */
export async function removeLapsed(
  s: RemovalServices,
  { removalId }: { removalId: string },
  batches = BATCHES_PER_SLICE,
): Promise<void> {
  const removal = await lookAtRemoval(s.control, removalId, s.clock.now());
  if (!removal || !(await mayGoOn(s, removal))) return;
  const read = await syncCustomer(s, removal.organisationId);
  if (read !== "synced" && read !== "no customer") {
    log.warn("{id} waits: the payment provider's answer is {read}", { id: removal.id, read });
    return;
  }
  if (!(await mayGoOn(s, removal))) return;
  if (!(await isLapseClear(s, removal))) {
    log.error("{id} waits: a subscription of {organisationId} is in a state that should not be", {
      id: removal.id,
      organisationId: removal.organisationId,
    });
    return;
  }
  if ((await endLapsed(s, removal)) === "paid") {
    await syncCustomer(s, removal.organisationId);
    return end(s, removal, "stopped");
  }
  if (removal.state === "ahead")
    await beginRemoval(s.control, removal, {
      ...(await countPlatformHoldings(s, removal)),
      now: s.clock.now(),
    });
  const begun = await lookAtRemoval(s.control, removal.id, s.clock.now());
  if (!begun) return;
  for (let batch = 0; batch < batches; batch++) {
    if (!(await mayGoOn(s, begun))) return;
    if (!(await removePlatformItems(s, begun, REASON))) return end(s, begun, "done");
  }
  await s.queue.send([{ job: "remove-lapsed", payload: { removalId } }]);
}

/** True while the right is over. One that came back ends the removal, with what it removed so far. */
async function mayGoOn(s: EndServices, removal: RemovalRow): Promise<boolean> {
  const verdict = judge(removal, await readStanding(s.control, removal), s.clock.now());
  if (verdict === "stop") await end(s, removal, "stopped");
  return verdict === "go";
}

/** Ends a removal, and records in the audit trail what it removed. */
async function end(s: EndServices, removal: RemovalRow, state: "done" | "stopped"): Promise<void> {
  const { organisationId, platform, items, versions } = removal;
  const left = removal.state === "ahead" ? { items, versions } : await countPlatformHoldings(s, removal);
  const itemsLeft = Math.min(items, left.items);
  const versionsLeft = Math.min(versions, left.versions);
  const finishedAt = s.clock.now();
  const entry =
    itemsLeft === items
      ? null
      : auditStatement(
          s,
          {
            organisationId,
            userId: null,
            userName: OURSELVES,
            platform,
            action: "remove-lapsed",
            subject: wordsOf({ items: items - itemsLeft, of: items, versions: versions - versionsLeft }),
            occasion: `remove-lapsed:${removal.id}`,
          },
          isEndedAt(removal.id, finishedAt),
        );
  await endRemoval(s.control, removal, { state, itemsLeft, versionsLeft, finishedAt }, entry);
}

/** "46 items with 1,380 versions", "12 of 46 items with 360 versions". */
function wordsOf({ items, of, versions }: { items: number; of: number; versions: number }): string {
  const count = (number: number) => number.toLocaleString("en-US");
  const some = items === of ? count(items) : `${count(items)} of ${count(of)}`;
  return `${some} ${of === 1 ? "item" : "items"} with ${count(versions)} ${versions === 1 ? "version" : "versions"}`;
}
