import type { CardError } from "./cards.ts";
import { attachDeclineOf, challengeFailed, needsChallenge } from "./cards.ts";
import { emit, emitUpdate } from "./events.ts";
import type { Attempt } from "./intents.ts";
import { plain } from "./render.ts";
import type { StripeWorld } from "./state.ts";
import { find, get, newId, nowFor, put } from "./store.ts";
import type { PaymentMethod, SetupIntent } from "./things/payments.ts";

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
  const subscription = find(world, "subscription", intent.sim.subscription);
  if (subscription?.pending_setup_intent === intent.id) {
    const before = plain(world, subscription);
    subscription.pending_setup_intent = null;
    emitUpdate(world, "customer.subscription.updated", subscription, before);
  }
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
