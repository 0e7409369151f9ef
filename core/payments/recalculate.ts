import { z } from "zod";
import { OURSELVES, recordAction } from "#core/audit/index.ts";
import { seatRanges } from "#core/billing/index.ts";
import { HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { logger } from "#core/kernel/logger.ts";
import type { Uses } from "#core/services.ts";
import { type CommandRow, insertCommand, listStuckCommands, markCommand } from "./command.store.ts";
import { isAnswered, KEY_LIFE_MS, STUCK_MS } from "./commands.ts";
import type { PaymentServices } from "./deps.ts";
import { RECALCULATION } from "./order.ts";
import { wantSync } from "./projection.store.ts";
import { listRecalculations, type Recalculation } from "./recalculation.store.ts";
import { syncQuietly } from "./sync-customer.ts";

const log = logger("payments");

/** The quantity of the next period is settled in the last hour of the running one (reference: billing.md 2, "Jira renewal"). */
const BEFORE_RENEWAL_MS = HOUR_MS;
/** A refused one is tried again after this time. */
const AGAIN_MS = 10 * MINUTE_MS;
/** Subscriptions per tick; each is several requests to the provider. */
const AT_ONCE = 20;

/** What a stored recalculation orders. */
const orderSchema = z.object({
  subscriptionId: z.string(),
  itemId: z.string(),
  priceKey: z.string(),
  from: z.int(),
  quantity: z.int(),
  /** The end of the period for which it was calculated. Later it must not be sent. */
  periodEnd: z.int(),
});
type Order = z.output<typeof orderSchema>;

/**
 * Every minute: lets subscriptions per user follow the number of users, up and down, in the last hour of their period. Nothing
 * is prorated: what was paid stays until the period turns, and the renewal charges the new quantity once, at its brackets
 * (spec B-114, B-115, B-310). Above the largest quantity that is sold, the largest is charged, and more is on request.
 *
 * Each is a command that locks its platform, so it never crosses a purchase. One that died is finished first.
 */
export async function recalculateSubscriptions(deps: PaymentServices): Promise<void> {
  const now = deps.clock.now();
  const stuck = { kind: RECALCULATION, before: now - STUCK_MS, limit: AT_ONCE };
  for (const command of await listStuckCommands(deps.control, stuck)) await attempt(deps, command);
  const due = await listRecalculations(deps.control, {
    ranges: seatRanges(),
    from: now,
    to: now + BEFORE_RENEWAL_MS,
    failedSince: now - AGAIN_MS,
    limit: AT_ONCE,
  });
  for (const each of due) {
    const command = commandOf(deps, each);
    // False while a purchase holds the platform: the next tick looks again.
    if (await insertCommand(deps.control, command)) await attempt(deps, command);
  }
}

function commandOf(
  deps: Pick<PaymentServices, "clock" | "ids">,
  {
    id: subscriptionId,
    organisationId,
    platform,
    itemId,
    priceKey,
    quantity,
    target,
    periodEnd,
  }: Recalculation,
): CommandRow {
  const order: Order = { subscriptionId, itemId, priceKey, from: quantity, quantity: target, periodEnd };
  return {
    id: deps.ids.next("command"),
    organisationId,
    platform,
    kind: RECALCULATION,
    paramsJson: JSON.stringify(order),
    state: "open",
    stripeId: null,
    createdAt: deps.clock.now(),
  };
}

/** One that fails does not stop the others. */
async function attempt(deps: PaymentServices, command: CommandRow): Promise<void> {
  try {
    await carryOut(deps, command);
  } catch (cause) {
    const { id, organisationId } = command;
    log.error("Recalculation {id} of {organisationId} is not finished", { id, organisationId, cause });
  }
}

/** Carries out a command and writes its result to the audit trail. It may stop at any point and be repeated. */
async function carryOut(deps: PaymentServices, command: CommandRow): Promise<void> {
  const { id, organisationId, platform } = command;
  const order = orderSchema.parse(JSON.parse(command.paramsJson));
  const isDone = await send(deps, command, order);
  await wantSync(deps.control, organisationId);
  await recordAction(deps, {
    organisationId,
    userId: null,
    userName: OURSELVES,
    action: "recalculate-subscription",
    ...(platform === null ? {} : { platform }),
    subject: `${order.priceKey} × ${order.from} → ${order.quantity}`,
    occasion: `recalculate:${id}`,
    outcome: isDone ? "success" : "failed",
  });
  // Read before the command ends. Otherwise the projection keeps the old quantity, and the change is ordered and recorded again.
  await syncQuietly(deps, organisationId);
  await markCommand(deps.control, { id, state: isDone ? "done" : "failed" });
}

/**
 * Orders the quantity of the next period, and tells whether it is ordered. Once the period has turned, or the key is too
 * old, nothing is sent: only what runs is looked at, because the order was for a period that is over.
 *
 * @throws PaymentError when nobody knows whether it arrived
 */
async function send(
  deps: Uses<"clock" | "payments">,
  { id, createdAt }: CommandRow,
  order: Order,
): Promise<boolean> {
  const now = deps.clock.now();
  const { subscriptionId, itemId, quantity, priceKey, periodEnd } = order;
  if (now >= periodEnd || now - createdAt >= KEY_LIFE_MS) {
    const found = await deps.payments.readPurchase(subscriptionId);
    return found.quantity === quantity && found.priceKey === priceKey;
  }
  try {
    await deps.payments.setQuantity({ subscriptionId, itemId, quantity }, id);
    return true;
  } catch (cause) {
    if (!isAnswered(cause)) throw cause;
    log.warn("{subscriptionId} cannot be recalculated: {reason}", { subscriptionId, reason: String(cause) });
    return false;
  }
}
