import { ApiError, type CallApi, type InputOf, type ResultOf } from "#app/api/call-api.ts";
import { checkoutCopy } from "#app/copy/checkout.ts";
import type { Stripe, StripeError } from "#app/money/stripe-js.ts";

const copy = checkoutCopy.pay;

export type Order = InputOf<"POST payments/stripe-create-subscriptions">;
export type ItemAnswer = ResultOf<"POST payments/stripe-create-subscriptions">[number];

/** A payment that did not go through. With a secret, another card completes the same payment. */
export type OpenPayment = {
  platform: string;
  clientSecret: string | null;
  secretOf: "payment" | "setup";
  message: string;
};

/** What a try to pay led to. */
export type Outcome =
  /** Everything is paid, or nothing was due. */
  | { kind: "paid"; platforms: string[] }
  /** No payment method came about, so nothing was sent (spec B-212). */
  | { kind: "no-card"; message: string }
  /** Some payments are open. `paid` went through. */
  | { kind: "open"; open: OpenPayment[]; paid: string[] };

/** The card to pay with: one that is on file, or the one in the form. */
export type CardSource =
  | { kind: "on-file" }
  | { kind: "form"; collect: () => Promise<{ id: string } | { message: string }> };

export type PurchaseTools = {
  call: CallApi;
  stripe: Pick<Stripe, "handleNextAction" | "confirmCardPayment" | "confirmCardSetup">;
};

/** The dialog of the payment shows a refused call: the server's message, or ours when it has none (spec B-266, B-272). */
const QUIET = { isQuiet: true, fallback: copy.providerError } as const;

/**
 * Buys what is ordered: saves the card, creates the subscriptions, and lets the bank confirm one payment after the other
 * (spec B-179 to B-182).
 *
 * @throws {ApiError} when a call is refused; nothing was charged then
 */
export async function buy(tools: PurchaseTools, card: CardSource, order: Order): Promise<Outcome> {
  const saved = await saveCard(tools, card);
  if ("refusal" in saved) return { kind: "open", open: unpaidOf(order, saved.refusal), paid: [] };
  if ("message" in saved) return { kind: "no-card", message: saved.message };
  const { result } = await tools.call("POST payments/stripe-create-subscriptions", order, QUIET);
  return settle(tools, result);
}

/**
 * Pays what is open with another card, by the secrets that the server returned (spec B-183). Payments without a secret
 * are ordered again.
 *
 * @throws {ApiError} when a call is refused
 */
export async function payAgain(
  tools: PurchaseTools,
  card: CardSource,
  { open, order }: { open: readonly OpenPayment[]; order: Order },
): Promise<Outcome> {
  const saved = await saveCard(tools, card);
  if ("refusal" in saved) return { kind: "open", open: toldOf(open, saved.refusal), paid: [] };
  if ("message" in saved) return { kind: "no-card", message: saved.message };
  const paid: string[] = [];
  const still: OpenPayment[] = [];
  for (const payment of open) {
    if (payment.clientSecret === null || saved.id === null) continue;
    const confirm =
      payment.secretOf === "setup" ? tools.stripe.confirmCardSetup : tools.stripe.confirmCardPayment;
    const { error, paymentIntent, setupIntent } = await confirm(payment.clientSecret, {
      payment_method: saved.id,
    });
    if (!error && isSettled((paymentIntent ?? setupIntent)?.status)) paid.push(payment.platform);
    else still.push({ ...payment, message: refusalText(error) });
  }
  const again = order.items.filter(({ platform }) =>
    open.some((each) => each.platform === platform && (each.clientSecret === null || saved.id === null)),
  );
  if (again.length === 0) return outcome(paid, still);
  const { result } = await tools.call(
    "POST payments/stripe-create-subscriptions",
    { ...order, items: again },
    QUIET,
  );
  const rest = await settle(tools, result);
  return outcome(
    [...paid, ...(rest.kind === "paid" ? rest.platforms : rest.kind === "open" ? rest.paid : [])],
    [...still, ...(rest.kind === "open" ? rest.open : [])],
  );
}

/** Nothing of the order was sent, because the bank refused the card itself. */
const unpaidOf = ({ items }: Order, message: string): OpenPayment[] =>
  items.map(({ platform }) => ({ platform, clientSecret: null, secretOf: "payment", message }));

const toldOf = (open: readonly OpenPayment[], message: string): OpenPayment[] =>
  open.map((payment) => ({ ...payment, message }));

/** Attaches the card of the form. Null for a card on file. A bank may refuse a card before anything is paid with it. */
async function saveCard(
  { call }: PurchaseTools,
  card: CardSource,
): Promise<{ id: string | null } | { message: string } | { refusal: string }> {
  if (card.kind === "on-file") return { id: null };
  const collected = await card.collect();
  if ("message" in collected) return collected;
  try {
    await call("POST payments/stripe-attach-user-payment-method", { id: collected.id }, QUIET);
  } catch (cause) {
    if (cause instanceof ApiError && cause.code === "err.payment.failed") return { refusal: cause.message };
    throw cause;
  }
  return { id: collected.id };
}

/** Lets the bank confirm what needs it, one payment at a time, since each may open a frame. */
async function settle({ stripe }: PurchaseTools, items: readonly ItemAnswer[]): Promise<Outcome> {
  const paid: string[] = [];
  const open: OpenPayment[] = [];
  for (const { platform, paymentIntentStatus, clientSecret, secretOf, message } of items) {
    const fail = (text: string) => open.push({ platform, clientSecret, secretOf, message: text });
    if (isSettled(paymentIntentStatus)) paid.push(platform);
    else if (paymentIntentStatus === "requires_action" && clientSecret !== null) {
      const { error, paymentIntent, setupIntent } = await stripe.handleNextAction({ clientSecret });
      if (!error && isSettled((paymentIntent ?? setupIntent)?.status)) paid.push(platform);
      else fail(refusalText(error));
    } else fail(message || (clientSecret === null ? copy.providerError : copy.declined));
  }
  return outcome(paid, open);
}

function outcome(paid: string[], open: OpenPayment[]): Outcome {
  return open.length === 0 ? { kind: "paid", platforms: paid } : { kind: "open", open, paid };
}

/** Paid, or on its way: the bank has accepted it. */
const isSettled = (status: string | undefined) => status === "succeeded" || status === "processing";

/** The provider's message, or ours for a refusal without one (spec B-271 to B-274). */
function refusalText(error: StripeError | undefined): string {
  return error?.message || (error === undefined ? copy.declined : copy.providerError);
}
