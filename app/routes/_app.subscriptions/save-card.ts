import type { CallApi, ResultOf } from "#app/api/call-api.ts";
import { checkoutCopy } from "#app/copy/checkout.ts";
import type { Card } from "#app/money/billing-queries.ts";
import { noCardText } from "#app/money/no-card-text.ts";
import type { Stripe, StripeElements } from "#app/money/stripe-js.ts";

const copy = checkoutCopy.pay;

type Paid = ResultOf<"POST payments/stripe-attach-user-payment-method">["paid"][number];

/** A card that is saved, with the invoices that could not be paid with it; or the bank's refusal. */
export type SavedCard =
  | { kind: "saved"; card: Card; stillOpen: { label: string; message: string }[] }
  | { kind: "refused"; message: string };

/**
 * Confirms the card of the form and makes it the one that renewals are paid with. The server pays the open invoices with
 * it; where the bank asks, its question is shown.
 *
 * @param due The platforms that owe something, for their names
 * @throws {ApiError} when saving the card is refused
 */
export async function saveCard(
  {
    call,
    stripe,
    elements,
  }: { call: CallApi; stripe: Pick<Stripe, "confirmSetup" | "handleNextAction">; elements: StripeElements },
  due: readonly { platform: string; label: string }[],
): Promise<SavedCard> {
  const { error: invalid } = await elements.submit();
  if (invalid) return { kind: "refused", message: noCardText(invalid) };
  const { setupIntent, error } = await stripe.confirmSetup({
    elements,
    redirect: "if_required",
    confirmParams: { return_url: window.location.href },
  });
  const id = setupIntent?.payment_method;
  if (error || !id) return { kind: "refused", message: error?.message ?? copy.incorrectCard };
  const { result } = await call(
    "POST payments/stripe-attach-user-payment-method",
    { id: typeof id === "string" ? id : id.id },
    { isQuiet: true },
  );
  const { paid, ...card } = result;
  const stillOpen: { label: string; message: string }[] = [];
  for (const payment of paid) {
    const message = await finish(stripe, payment);
    const label = due.find(({ platform }) => platform === payment.platform)?.label ?? payment.platform;
    if (message !== null) stillOpen.push({ label, message });
  }
  return { kind: "saved", card, stillOpen };
}

/** Lets the bank ask about a payment if it wants to. Returns why it is still open; null when it is paid. */
async function finish(
  stripe: Pick<Stripe, "handleNextAction">,
  { paymentIntentStatus, clientSecret, message }: Paid,
): Promise<string | null> {
  if (paymentIntentStatus === "succeeded" || paymentIntentStatus === "processing") return null;
  if (paymentIntentStatus !== "requires_action" || clientSecret === null) return message ?? copy.declined;
  const { error, paymentIntent } = await stripe.handleNextAction({ clientSecret });
  if (!error && paymentIntent?.status === "succeeded") return null;
  return error?.message ?? copy.declined;
}
