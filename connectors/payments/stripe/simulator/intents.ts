import type { CardError } from "./cards.ts";
import {
  AUTHENTICATION_REQUIRED,
  attachDeclineOf,
  type CardBehaviour,
  challengeFailed,
  declineOf,
  needsChallenge,
} from "./cards.ts";
import { emit } from "./events.ts";
import { plain } from "./render.ts";
import type { StripeWorld } from "./state.ts";
import { get, newId, nowFor, put } from "./store.ts";
import type { Charge, PaymentIntent, PaymentMethod, SetupIntent } from "./things/payments.ts";

/** How an attempt to pay or to set up a card ended. */
export type Attempt = { kind: "succeeded" } | { kind: "challenge" } | { kind: "declined"; error: CardError };

/** Creates the payment intent of an invoice, or one of its own. */
export function createPaymentIntent(
  world: StripeWorld,
  order: {
    amount: number;
    currency: string;
    customer: string | null;
    invoice: string | null;
    method: string | null;
  },
): PaymentIntent {
  const { amount, currency, customer, invoice, method } = order;
  const id = newId("pi");
  const intent = put(world, "payment_intent", {
    id,
    object: "payment_intent",
    amount,
    amount_received: 0,
    canceled_at: null,
    cancellation_reason: null,
    client_secret: `${id}_secret_${newId("x").slice(2)}`,
    created: nowFor(world, customer),
    currency,
    customer,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata: {},
    next_action: null,
    payment_method: method,
    status: method === null ? "requires_payment_method" : "requires_confirmation",
    sim: { invoice, isOffSession: false },
    ...PAYMENT_INTENT_REST,
    // Stripe sets a card of a subscription's payment up for later ones (billing/subscriptions/overview).
    ...{ setup_future_usage: invoice === null ? null : "off_session" },
  });
  emit(world, "payment_intent.created", intent);
  return intent;
}

const PAYMENT_INTENT_REST = {
  allowed_payment_method_types: null,
  amount_capturable: 0,
  application: null,
  application_fee_amount: null,
  automatic_payment_methods: null,
  capture_method: "automatic",
  confirmation_method: "automatic",
  customer_account: null,
  description: null,
  excluded_payment_method_types: null,
  managed_payments: null,
  on_behalf_of: null,
  payment_method_configuration_details: null,
  payment_method_options: null,
  payment_method_types: ["card"],
  payment_record: null,
  processing: null,
  receipt_email: null,
  review: null,
  shipping: null,
  source: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  transfer_group: null,
};

/**
 * Tries to pay with a card. On-session the holder may have to authenticate; off-session such a payment is declined
 * (docs.stripe.com/payments/3d-secure).
 */
export function attemptPayment(
  world: StripeWorld,
  intent: PaymentIntent,
  method: PaymentMethod,
  isOffSession: boolean,
): Attempt {
  intent.payment_method = method.id;
  intent.next_action = null;
  intent.last_payment_error = null;
  intent.sim.isOffSession = isOffSession;
  const behaviour = world.state.declines.shift() ?? method.sim.behaviour;
  if (!needsChallenge(behaviour, method.sim.isSetUp)) return charge(world, intent, method, behaviour);
  if (isOffSession) return fail(world, intent, method, AUTHENTICATION_REQUIRED);
  intent.status = "requires_action";
  intent.next_action = {
    type: "use_stripe_sdk",
    use_stripe_sdk: { type: "three_d_secure_redirect", stripe_js: `${world.url}/v3/` },
  };
  emit(world, "payment_intent.requires_action", intent);
  return { kind: "challenge" };
}

/** Goes on after the holder's challenge. */
export function endPaymentChallenge(world: StripeWorld, intent: PaymentIntent, isPassed: boolean): Attempt {
  const method = get(world, "payment_method", intent.payment_method ?? "");
  intent.next_action = null;
  if (!isPassed) return fail(world, intent, method, challengeFailed("payment"), false);
  return charge(world, intent, method, method.sim.behaviour);
}

/** Cancels an intent that can no longer be paid. */
export function cancelPaymentIntent(world: StripeWorld, intent: PaymentIntent, reason: string): void {
  if (intent.status === "succeeded" || intent.status === "canceled") return;
  intent.status = "canceled";
  intent.canceled_at = nowFor(world, intent.customer);
  intent.cancellation_reason = reason;
  intent.next_action = null;
  emit(world, "payment_intent.canceled", intent);
}

function charge(
  world: StripeWorld,
  intent: PaymentIntent,
  method: PaymentMethod,
  behaviour: CardBehaviour,
): Attempt {
  const error = declineOf(behaviour);
  if (error !== null) return fail(world, intent, method, error);
  const made = createCharge(world, intent, method, null);
  intent.status = "succeeded";
  intent.amount_received = intent.amount;
  intent.latest_charge = made.id;
  method.sim.isSetUp ||= intent.sim.invoice !== null;
  emit(world, "charge.succeeded", made);
  emit(world, "payment_intent.succeeded", intent);
  return { kind: "succeeded" };
}

function fail(
  world: StripeWorld,
  intent: PaymentIntent,
  method: PaymentMethod,
  decline: CardError,
  hasCharge = true,
): Attempt {
  const made = hasCharge ? createCharge(world, intent, method, decline) : null;
  const error = made ? { ...decline, charge: made.id } : decline;
  intent.status = "requires_payment_method";
  intent.payment_method = null;
  intent.latest_charge = made?.id ?? intent.latest_charge;
  intent.last_payment_error = { ...error, ...{ payment_method: plain(world, method) } };
  if (made) emit(world, "charge.failed", made);
  emit(world, "payment_intent.payment_failed", intent);
  return { kind: "declined", error };
}

function createCharge(
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

/** Creates a setup intent; `subscription` = it is the pending one of that subscription. */
export function createSetupIntent(
  world: StripeWorld,
  order: { customer: string | null; method: string | null; usage: string; subscription: string | null },
): SetupIntent {
  const { customer, method, usage, subscription } = order;
  const id = newId("seti");
  const intent = put(world, "setup_intent", {
    id,
    object: "setup_intent",
    client_secret: `${id}_secret_${newId("x").slice(2)}`,
    created: nowFor(world, customer),
    customer,
    last_setup_error: null,
    livemode: false,
    metadata: {},
    next_action: null,
    payment_method: method,
    status: method === null ? "requires_payment_method" : "requires_confirmation",
    usage,
    sim: { subscription },
    ...SETUP_INTENT_REST,
  });
  emit(world, "setup_intent.created", intent);
  return intent;
}

const SETUP_INTENT_REST = {
  allowed_payment_method_types: null,
  application: null,
  automatic_payment_methods: null,
  cancellation_reason: null,
  description: null,
  excluded_payment_method_types: null,
  flow_directions: null,
  latest_attempt: null,
  mandate: null,
  on_behalf_of: null,
  payment_method_configuration_details: null,
  payment_method_options: null,
  payment_method_types: ["card"],
  single_use_mandate: null,
};

/** Sets a card up for payments without its holder; cards with 3-D Secure ask the holder first. */
export function attemptSetup(world: StripeWorld, intent: SetupIntent, method: PaymentMethod): Attempt {
  intent.payment_method = method.id;
  intent.last_setup_error = null;
  const error = attachDeclineOf(method.sim.behaviour);
  if (error !== null) return failSetup(world, intent, method, error);
  if (needsChallenge(method.sim.behaviour, method.sim.isSetUp)) {
    intent.status = "requires_action";
    intent.next_action = {
      type: "use_stripe_sdk",
      use_stripe_sdk: { type: "three_d_secure_redirect", stripe_js: `${world.url}/v3/` },
    };
    emit(world, "setup_intent.requires_action", intent);
    return { kind: "challenge" };
  }
  return succeedSetup(world, intent, method);
}

/** Goes on after the holder's challenge. */
export function endSetupChallenge(world: StripeWorld, intent: SetupIntent, isPassed: boolean): Attempt {
  const method = get(world, "payment_method", intent.payment_method ?? "");
  intent.next_action = null;
  return isPassed
    ? succeedSetup(world, intent, method)
    : failSetup(world, intent, method, challengeFailed("setup"));
}

function succeedSetup(world: StripeWorld, intent: SetupIntent, method: PaymentMethod): Attempt {
  intent.status = "succeeded";
  method.sim.isSetUp = true;
  if (intent.customer !== null && method.customer === null) {
    method.customer = intent.customer;
    emit(world, "payment_method.attached", method);
  }
  emit(world, "setup_intent.succeeded", intent);
  return { kind: "succeeded" };
}

function failSetup(
  world: StripeWorld,
  intent: SetupIntent,
  method: PaymentMethod,
  error: CardError,
): Attempt {
  intent.status = "requires_payment_method";
  intent.payment_method = null;
  intent.last_setup_error = { ...error, ...{ payment_method: plain(world, method) } };
  emit(world, "setup_intent.setup_failed", intent);
  return { kind: "declined", error };
}
