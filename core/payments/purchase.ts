import { z } from "zod";
import type { Payment, Purchase } from "#connectors/contract/payment-provider.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Uses } from "#core/services.ts";
import { type CommandRow, findLock, insertCommand, markCommand } from "./command.store.ts";
import { isAnswered, KEY_LIFE_MS } from "./commands.ts";
import type { AskServices, PaymentServices, SyncServices } from "./deps.ts";
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

const subscribeSchema = z.object({
  kind: z.literal("subscribe"),
  customerId: z.string(),
  priceId: z.string(),
  priceKey: z.string(),
  quantity: z.int(),
  taxRates: z.array(z.string()),
  promotionId: z.string().nullable(),
});
const changeSchema = z.object({
  kind: z.literal("change"),
  subscriptionId: z.string(),
  itemId: z.string(),
  priceId: z.string(),
  priceKey: z.string(),
  quantity: z.int(),
  prorationAt: z.int(),
  isNewPeriod: z.boolean(),
});
/** What a command orders. It is stored before it is sent, and sent again as it was stored. */
const orderSchema = z.discriminatedUnion("kind", [subscribeSchema, changeSchema]);
export type PurchaseOrder = z.output<typeof orderSchema>;

/** True when both orders ask for the same plan, quantity and promotion. Time and prices may differ. */
export function isSameChoice(a: PurchaseOrder, b: PurchaseOrder): boolean {
  const promotionOf = (order: PurchaseOrder) => (order.kind === "subscribe" ? order.promotionId : null);
  return (
    a.kind === b.kind &&
    a.priceKey === b.priceKey &&
    a.quantity === b.quantity &&
    promotionOf(a) === promotionOf(b)
  );
}

type Begun = { commandId: string; purchase: Purchase };

/**
 * Begins a purchase, or goes on with one that was begun. While a purchase is open it locks its platform, so that a second
 * tab gets the first one's payment and never a second subscription. Another choice first ends the open one: its invoice
 * is voided, which no payment can follow.
 *
 * @throws PaymentError, AppError `err.payment.busy`
 */
export async function beginPurchase(
  deps: PaymentServices,
  { organisationId, platform }: { organisationId: string; platform: string },
  order: PurchaseOrder,
): Promise<Begun> {
  const where = { organisationId, platform };
  for (let tries = 0; tries < 3; tries++) {
    const lock = await findLock(deps.control, where);
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
    if (isOurs) return { commandId: id, purchase: await send(deps, where, id, order) };
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
  const purchase = await findPurchase(deps, where, lock, order);
  if (!purchase) return null;
  const isOpen = order.kind === "subscribe" ? purchase.state === "incomplete" : purchase.isChangePending;
  if (isSameChoice(order, wanted)) {
    // What is paid already is answered as paid; the lock ends with the next sync.
    if (isOpen || isPaidFor(order, purchase)) return { commandId: lock.id, purchase };
  }
  if (isOpen && purchase.isInvoiceOpen && purchase.invoiceId !== null)
    await deps.payments.voidInvoice(purchase.invoiceId, `${lock.id}:void:${purchase.invoiceId}`);
  if (order.kind === "change" && !isOpen) {
    await markCommand(deps.control, { id: lock.id, state: "done" });
    await syncCustomer(deps, where.organisationId);
    // The price was shown for the plan before this change.
    throw new AppError("err.payment.quote");
  }
  await markCommand(deps.control, { id: lock.id, state: isOpen ? "failed" : "done" });
  await syncCustomer(deps, where.organisationId);
  if (!isOpen && isPaidFor(order, purchase)) throw new AppError("err.payment.quote");
  return null;
}

function isPaidFor(order: PurchaseOrder, { state, isChangePending }: Purchase): boolean {
  if (order.kind === "change") return !isChangePending && state === "active";
  return state === "active" || state === "trialing" || state === "past_due";
}

/**
 * What the provider has of a command. One that may not have arrived is sent again with its key and its own order; when the
 * key is too old for that, the subscription is looked for by the command's id in its metadata, and never created again.
 */
async function findPurchase(
  deps: AskServices,
  where: { organisationId: string; platform: string },
  lock: CommandRow,
  order: PurchaseOrder,
): Promise<Purchase | null> {
  if (lock.state === "waiting" && lock.stripeId !== null) return deps.payments.readPurchase(lock.stripeId);
  if (lock.createdAt + KEY_LIFE_MS > deps.clock.now()) {
    const { subscriptionId } = await send(deps, where, lock.id, order);
    // The saved answer is from then; it may have been paid since.
    return deps.payments.readPurchase(subscriptionId);
  }
  if (order.kind === "subscribe") {
    const { subscriptions } = await deps.payments.listSubscriptions(order.customerId);
    const found = subscriptions.find(({ commandId }) => commandId === lock.id);
    if (found) return deps.payments.readPurchase(found.id);
  }
  await markCommand(deps.control, { id: lock.id, state: "failed" });
  return null;
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
 * never made twice, and after a decline the same card may be tried again.
 */
export async function payPurchase(
  deps: Uses<"payments">,
  { commandId, purchase }: Begun,
  cardId: string,
): Promise<Payment | null> {
  const { payment, intentId } = purchase;
  const isDue =
    payment !== null &&
    intentId !== null &&
    (payment.state === "requires_payment_method" || payment.state === "requires_confirmation");
  if (!isDue) return payment;
  const key = `${commandId}:confirm:${cardId}:${payment.attemptId ?? "first"}`;
  return deps.payments.confirmPayment(intentId, cardId, key);
}
