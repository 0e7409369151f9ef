import type { CallApi } from "#app/api/call-api.ts";
import { checkoutCopy } from "#app/copy/checkout.ts";
import type { Card } from "#app/money/billing-queries.ts";
import { noCardText } from "#app/money/no-card-text.ts";
import type { Stripe, StripeElements } from "#app/money/stripe-js.ts";

const copy = checkoutCopy.pay;

/** A card that is saved, with the invoices that could not be paid with it; or the bank's refusal. */
export type SavedCard =
  | { kind: "saved"; card: Card; stillOpen: { label: string; message: string }[] }
  | { kind: "refused"; message: string };

/**
 * Confirms the card of the form, makes it the one that renewals are paid with, and pays the open invoices with it.
 *
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
  const { result: card } = await call(
    "POST payments/stripe-attach-user-payment-method",
    { id: typeof id === "string" ? id : id.id },
    { isQuiet: true },
  );
  const stillOpen: { label: string; message: string }[] = [];
  for (const { platform, label } of due) {
    const message = await payOpen({ call, stripe }, platform);
    if (message !== null) stillOpen.push({ label, message });
  }
  return { kind: "saved", card, stillOpen };
}

/** Pays an open invoice. Returns why it is still open; null when it is paid. */
async function payOpen(
  { call, stripe }: { call: CallApi; stripe: Pick<Stripe, "handleNextAction"> },
  platform: string,
): Promise<string | null> {
  try {
    const { result } = await call("POST payments/stripe-pay-open-invoice", { platform }, { isQuiet: true });
    const { paymentIntentStatus, clientSecret, message } = result;
    if (paymentIntentStatus === "succeeded" || paymentIntentStatus === "processing") return null;
    if (paymentIntentStatus !== "requires_action" || clientSecret === null) return message ?? copy.declined;
    const { error, paymentIntent } = await stripe.handleNextAction({ clientSecret });
    if (!error && paymentIntent?.status === "succeeded") return null;
    return error?.message ?? copy.declined;
  } catch (cause) {
    // The card is saved already, so a refused payment is reported beside it.
    return cause instanceof Error ? cause.message : copy.providerError;
  }
}
