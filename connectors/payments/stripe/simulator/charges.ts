import type { CardError } from "./cards.ts";
import type { StripeWorld } from "./state.ts";
import { newId, nowFor, put } from "./store.ts";
import type { Charge, PaymentIntent, PaymentMethod } from "./things/payments.ts";

/** Records an attempt to charge a card; `error` = why it failed. */
export function createCharge(
  world: StripeWorld,
  intent: PaymentIntent,
  method: PaymentMethod,
  error: CardError | null,
): Charge {
  const id = newId("ch");
  const isPaid = error === null;
  return put(world, "charge", {
    id,
    object: "charge",
    amount: intent.amount,
    amount_captured: isPaid ? intent.amount : 0,
    amount_refunded: 0,
    created: nowFor(world, intent.customer),
    currency: intent.currency,
    customer: intent.customer,
    disputed: false,
    failure_code: error?.code ?? null,
    failure_message: error?.message ?? null,
    livemode: false,
    paid: isPaid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type: "card", card: cardOfCharge(method) },
    receipt_url: isPaid ? `${world.url}/receipts/${id}` : null,
    refunded: false,
    status: isPaid ? "succeeded" : "failed",
    ...CHARGE_REST,
    ...{ captured: isPaid, billing_details: method.billing_details, outcome: outcomeOf(error) },
  });
}

function cardOfCharge({ card }: PaymentMethod): Record<string, unknown> {
  const { brand, last4, exp_month, exp_year, country } = card;
  return {
    ...{ brand, last4, exp_month, exp_year, country, funding: "credit", network: brand },
    ...{
      amount_authorized: null,
      authorization_code: null,
      checks: null,
      electronic_commerce_indicator: null,
    },
    ...{ installments: null, mandate: null, network_transaction_id: null, regulated_status: "unregulated" },
    ...{ three_d_secure: null, transaction_link_id: null, wallet: null },
  };
}

function outcomeOf(error: CardError | null): Record<string, unknown> {
  const isPaid = error === null;
  return {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: isPaid ? "approved_by_network" : "declined_by_network",
    reason: error?.decline_code ?? error?.code ?? null,
    risk_level: "normal",
    seller_message: isPaid
      ? "Payment complete."
      : "The bank did not return any further details with this decline.",
    type: isPaid ? "authorized" : "issuer_declined",
  };
}

const CHARGE_REST = {
  application: null,
  application_fee: null,
  application_fee_amount: null,
  balance_transaction: null,
  calculated_statement_descriptor: "HOLDFAST",
  description: "Subscription",
  failure_balance_transaction: null,
  fraud_details: null,
  metadata: {},
  on_behalf_of: null,
  receipt_email: null,
  receipt_number: null,
  review: null,
  shipping: null,
  source: null,
  source_transfer: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  transfer_data: null,
  transfer_group: null,
};
