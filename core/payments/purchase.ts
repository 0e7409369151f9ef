import type { Payment, Purchase } from "#connectors/contract/payment-provider.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Uses } from "#core/services.ts";
import { type CommandRow, findLock, insertCommand, markCommand } from "./command.store.ts";
import { isAnswered, KEY_LIFE_MS, STUCK_MS } from "./commands.ts";
import type { AskServices, PaymentServices, SyncServices } from "./deps.ts";
import {
  isRunning,
  isSameChoice,
  isSameOrder,
  orderSchema,
  type PurchaseOrder,
  RECALCULATION,
} from "./order.ts";
import { syncCustomer } from "./sync-customer.ts";

/** Where the payment of one platform stands after a purchase or a change. */
export type ItemPayment = {
  platform: string;
  priceId: string | null;
  subscriptionId: string | null;
  state: Payment["state"] | "failed";
  clientSecret: string | null;
  secretOf: "payment" | "setup";
  /** A change that takes effect once it is paid. */
  isPending: boolean;
  message: string | null;
  code: string | null;
};

/** How a payment is recorded: a declined card has failed, one that the bank still asks about has not. */
export function outcomeOf(payment: Pick<Payment, "state"> | null): "success" | "failed" {
  return payment?.state === "requires_payment_method" || payment?.state === "canceled" ? "failed" : "success";
}

type Begun = { commandId: string; purchase: Purchase };

/**
 * Begins a purchase, or goes on with one that was begun. While a purchase is open it locks its platform, so that a second
 * tab gets the first one's payment and never a second subscription. Another choice first ends the open one: its invoice
 * is voided, which no payment can follow.
 *
 * @param assertCurrent - Throws when the order was made for another state than the one of now. Called with the lock: until
 * then, another tab may have bought and ended its lock.
 * @throws PaymentError, AppError `err.payment.busy`, and what `assertCurrent` throws
 */
export async function beginPurchase(
  deps: PaymentServices,
  { organisationId, platform }: { organisationId: string; platform: string },
  order: PurchaseOrder,
  assertCurrent: () => Promise<void>,
): Promise<Begun> {
  const where = { organisationId, platform };
  for (let tries = 0; tries < 3; tries++) {
    const lock = await findLock(deps.control, where);
    // It takes a moment, or the minutes until one that died is finished.
    if (lock?.kind === RECALCULATION) throw new AppError("err.payment.busy");
    if (lock) {
      const begun = await resume(deps, where, lock, order);
      if (begun) return begun;
      continue;
    }
    const id = deps.ids.next("command");
    const isOurs = await insertCommand(deps.control, {
      id,
      organisationId,
      platform,
      kind: order.kind,
      paramsJson: JSON.stringify(order),
      state: "open",
      stripeId: null,
      createdAt: deps.clock.now(),
    });
    if (isOurs) {
      await assertCurrent().catch(async (cause: unknown) => {
        await markCommand(deps.control, { id, state: "failed" });
        throw cause;
      });
      return { commandId: id, purchase: await send(deps, where, id, order) };
    }
  }
  throw new AppError("err.payment.busy");
}

/** The open purchase when it is the same choice. Null when it is over, and a new one may begin. */
async function resume(
  deps: SyncServices,
  where: { organisationId: string; platform: string },
  lock: CommandRow,
  wanted: PurchaseOrder,
): Promise<Begun | null> {
  const order = orderSchema.parse(JSON.parse(lock.paramsJson));
  const purchase = await findPurchase(deps, where, lock, order, wanted);
  if (!purchase) return null;
  const isOpen = order.kind === "subscribe" ? purchase.state === "incomplete" : purchase.isChangePending;
  // What is paid already is answered as paid; the lock ends with the next sync. What is open goes on only at the price
  // that was shown this time: of a later quote, or with the tax of another country, it is another purchase.
  const isOurs = isOpen
    ? isSameOrder(order, wanted)
    : isSameChoice(order, wanted) && isPaidFor(order, purchase);
  if (isOurs) return { commandId: lock.id, purchase };
  if (isOpen && purchase.isInvoiceOpen && purchase.invoiceId !== null)
    await deps.payments.voidInvoice(purchase.invoiceId, `${lock.id}:void:${purchase.invoiceId}`);
  // Before the lock ends: whoever gets it next must find what was bought.
  await syncCustomer(deps, where.organisationId);
  await markCommand(deps.control, { id: lock.id, state: isOpen ? "failed" : "done" });
  // The price was shown for the plan before.
  if (!isOpen && (order.kind === "change" || isPaidFor(order, purchase)))
    throw new AppError("err.payment.quote");
  return null;
}

function isPaidFor(order: PurchaseOrder, purchase: Purchase): boolean {
  const { state, isChangePending } = purchase;
  if (order.kind === "change") return !isChangePending && state === "active" && isRunning(order, purchase);
  return state === "active" || state === "trialing" || state === "past_due";
}

/**
 * What the provider has of a command. One that may not have arrived is sent again with its key and its own order; when the
 * key is too old for that, the subscription is looked for by the command's id in its metadata, and never created again.
 *
 * A change is charged when it arrives. So it is sent again only while it is what is wanted, at the price that was shown;
 * otherwise the subscription says whether it arrived.
 *
 * @throws AppError `err.payment.busy` while a change may still be on its way
 */
async function findPurchase(
  deps: AskServices,
  where: { organisationId: string; platform: string },
  lock: CommandRow,
  order: PurchaseOrder,
  wanted: PurchaseOrder,
): Promise<Purchase | null> {
  if (lock.state === "waiting" && lock.stripeId !== null) return deps.payments.readPurchase(lock.stripeId);
  const age = deps.clock.now() - lock.createdAt;
  if (age < KEY_LIFE_MS && (order.kind === "subscribe" || isSameOrder(order, wanted))) {
    const { subscriptionId } = await send(deps, where, lock.id, order);
    // The saved answer is from then; it may have been paid since.
    return deps.payments.readPurchase(subscriptionId);
  }
  const found = await lookFor(deps, lock.id, order);
  if (found) {
    await markCommand(deps.control, { id: lock.id, state: "waiting", stripeId: found.subscriptionId });
    return found;
  }
  if (age < STUCK_MS) throw new AppError("err.payment.busy");
  await markCommand(deps.control, { id: lock.id, state: "failed" });
  return null;
}

/** What came of an order, without sending it again; null when it did not arrive. */
async function lookFor(
  deps: Uses<"payments">,
  commandId: string,
  order: PurchaseOrder,
): Promise<Purchase | null> {
  if (order.kind === "change") {
    const purchase = await deps.payments.readPurchase(order.subscriptionId);
    return purchase.isChangePending || isRunning(order, purchase) ? purchase : null;
  }
  const { subscriptions } = await deps.payments.listSubscriptions(order.customerId);
  const found = subscriptions.find((each) => each.commandId === commandId);
  return found ? deps.payments.readPurchase(found.id) : null;
}

async function send(
  deps: Uses<"control" | "payments">,
  { organisationId, platform }: { organisationId: string; platform: string },
  id: string,
  given: PurchaseOrder,
): Promise<Purchase> {
  // As it was stored: a key that is sent again must come with the very same order.
  const order = orderSchema.parse(given);
  try {
    const purchase =
      order.kind === "subscribe"
        ? await deps.payments.subscribe({ ...order, organisationId, platform, commandId: id }, id)
        : await deps.payments.changeSubscription(order, id);
    await markCommand(deps.control, { id, state: "waiting", stripeId: purchase.subscriptionId });
    return purchase;
  } catch (cause) {
    if (isAnswered(cause)) await markCommand(deps.control, { id, state: "failed" });
    throw cause;
  }
}

/**
 * Pays what a purchase waits for with the customer's card. The key names the card and the last attempt: the same try is
 * never made twice, and after a decline the same card may be tried again. After a confirmation that failed nothing names
 * the last attempt, and the key is a new one: a payment intent is charged once, whatever the key.
 */
export async function payPurchase(
  deps: Uses<"ids" | "payments">,
  { commandId, purchase }: Begun,
  cardId: string,
): Promise<Payment | null> {
  const { payment, intentId } = purchase;
  const isDue =
    payment !== null &&
    intentId !== null &&
    (payment.state === "requires_payment_method" || payment.state === "requires_confirmation");
  if (!isDue) return payment;
  const attempt = payment.attemptId ?? (payment.message === null ? "first" : deps.ids.next("command"));
  const key = `${commandId}:confirm:${cardId}:${attempt}`;
  return deps.payments.confirmPayment(intentId, cardId, key);
}
