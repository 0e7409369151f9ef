import { refused } from "./errors.ts";
import { emit } from "./events.ts";
import { plain } from "./render.ts";
import type { StripeWorld } from "./state.ts";
import { newId, nowFor, put } from "./store.ts";
import type { Charge, Refund } from "./things/payments.ts";

/** Refunds a charge; without an amount, all that is left. @throws StripeFault for more than is left */
export function refundCharge(
  world: StripeWorld,
  charge: Charge,
  wanted: number | null,
  reason: string | null,
  metadata: Record<string, string>,
): Refund {
  const left = charge.amount_captured - charge.amount_refunded;
  const amount = wanted ?? left;
  if (left === 0)
    throw refused(`Charge ${charge.id} has already been refunded.`, { code: "charge_already_refunded" });
  if (amount > left) {
    throw refused(
      `Refund amount ($${amount / 100}) is greater than unrefunded amount on charge ($${left / 100})`,
      { param: "amount" },
    );
  }
  const before = plain(world, charge);
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
  const refund = put(world, "refund", {
    id: newId("re"),
    object: "refund",
    amount,
    charge: charge.id,
    created: nowFor(world, charge.customer),
    payment_intent: charge.payment_intent,
    ...{
      balance_transaction: null,
      currency: charge.currency,
      customer: charge.customer,
      customer_account: null,
    },
    ...{ metadata, payment_method: charge.payment_method, reason, receipt_number: null, status: "succeeded" },
    ...{ source_transfer_reversal: null, transfer_reversal: null },
  });
  emit(world, "refund.created", refund);
  emit(world, "charge.refunded", charge, before);
  return refund;
}
