import type { CardError } from "./cards.ts";
import {
  AUTHENTICATION_REQUIRED,
  type CardBehaviour,
  challengeFailed,
  declineOf,
  needsChallenge,
} from "./cards.ts";
import { createCharge } from "./charges.ts";
import { emit } from "./events.ts";
import { plain } from "./render.ts";
import type { StripeWorld } from "./state.ts";
import { get, newId, nowFor, put } from "./store.ts";
import type { PaymentIntent, PaymentMethod } from "./things/payments.ts";

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
 * Tries to pay with a card whose holder may have to authenticate. Off-session such a payment is declined, but that of an
 * invoice waits for its holder (docs.stripe.com/billing/subscriptions/overview, docs.stripe.com/payments/3d-secure).
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
  if (isOffSession && intent.sim.invoice === null)
    return fail(world, intent, method, AUTHENTICATION_REQUIRED);
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
