import { z } from "zod";
import { followAttempt, intentOf, payInvoice } from "../collect.ts";
import { endpoint } from "../endpoint.ts";
import { declined, refused, StripeFault } from "../errors.ts";
import { type Attempt, attemptPayment, cancelPaymentIntent } from "../intents.ts";
import { page } from "../lists.ts";
import { bool, id, listParams, metadata, params, strings, text } from "../params.ts";
import { plain } from "../render.ts";
import { attemptSetup, createSetupIntent } from "../setup-intents.ts";
import type { StripeWorld } from "../state.ts";
import { all, find, get } from "../store.ts";
import type { PaymentIntent, SetupIntent } from "../things/payments.ts";
import { methodOf } from "./cards.ts";
import { living } from "./customers.ts";

const secret = { client_secret: id.optional() };

export const intentRoutes = [
  endpoint("GET /v1/payment_intents/{id}", params(secret), paymentIntentOf, { isPublic: true }),
  endpoint("GET /v1/payment_intents", listParams({ customer: id.optional() }), (call) => {
    const { customer } = call.params;
    const found = all(call.world, "payment_intent").filter(
      (each) => (customer ?? each.customer) === each.customer,
    );
    return page(found, call.params, call.url);
  }),
  endpoint(
    "POST /v1/payment_intents/{id}/confirm",
    params({
      ...secret,
      payment_method: id.optional(),
      off_session: bool.optional(),
      return_url: text.optional(),
      setup_future_usage: z.enum(["off_session", "on_session"]).optional(),
      use_stripe_sdk: bool.optional(),
      allowed_payment_method_types: strings.optional(),
    }),
    (call) => confirmPayment(call.world, paymentIntentOf(call), call.params),
    { isPublic: true },
  ),
  endpoint(
    "POST /v1/payment_intents/{id}/cancel",
    params({ cancellation_reason: text.optional() }),
    ({ world, id, params }) => {
      const intent = get(world, "payment_intent", id, "intent");
      if (intent.sim.invoice !== null) {
        throw refused("You cannot cancel a PaymentIntent created by an Invoice. Void the invoice instead.", {
          code: "payment_intent_unexpected_state",
        });
      }
      cancelPaymentIntent(world, intent, params.cancellation_reason ?? "requested_by_customer");
      return intent;
    },
  ),
  endpoint(
    "POST /v1/setup_intents",
    params({
      customer: id.optional(),
      payment_method: id.optional(),
      usage: z.enum(["off_session", "on_session"]).optional(),
      allowed_payment_method_types: strings.optional(),
      confirm: bool.optional(),
      description: text.optional(),
      metadata: metadata.optional(),
      return_url: text.optional(),
    }),
    ({ world, params }) => {
      const customer = params.customer === undefined ? null : living(world, params.customer).id;
      const method = params.payment_method === undefined ? null : methodOf(world, params.payment_method).id;
      const usage = params.usage ?? "off_session";
      const intent = createSetupIntent(world, { customer, method, usage, subscription: null });
      intent.metadata = params.metadata ?? {};
      Object.assign(intent, {
        allowed_payment_method_types: params.allowed_payment_method_types ?? null,
        description: params.description ?? null,
      });
      return params.confirm ? confirmSetup(world, intent, {}) : intent;
    },
  ),
  endpoint("GET /v1/setup_intents/{id}", params(secret), setupIntentOf, { isPublic: true }),
  endpoint(
    "POST /v1/setup_intents/{id}/confirm",
    params({
      ...secret,
      payment_method: id.optional(),
      return_url: text.optional(),
      use_stripe_sdk: bool.optional(),
    }),
    (call) => confirmSetup(call.world, setupIntentOf(call), call.params),
    { isPublic: true },
  ),
  endpoint("POST /v1/setup_intents/{id}/cancel", params({}), ({ world, id }) => {
    const intent = get(world, "setup_intent", id, "intent");
    intent.status = "canceled";
    intent.next_action = null;
    return Object.assign(intent, { cancellation_reason: "requested_by_customer" });
  }),
];

type IntentCall = {
  world: StripeWorld;
  id: string;
  isPublic: boolean;
  params: { client_secret?: string | undefined };
};

function paymentIntentOf(call: IntentCall): PaymentIntent {
  const intent = get(call.world, "payment_intent", call.id, "intent");
  demandSecret(call, intent, "payment_intent");
  return intent;
}

function setupIntentOf(call: IntentCall): SetupIntent {
  const intent = get(call.world, "setup_intent", call.id, "intent");
  demandSecret(call, intent, "setup_intent");
  return intent;
}

/** A browser may read and confirm only with the secret of the intent (api/payment_intents/object#client_secret). */
function demandSecret(
  { isPublic, params }: IntentCall,
  intent: { client_secret: string; id: string },
  what: string,
): void {
  const isWrong = params.client_secret !== undefined && params.client_secret !== intent.client_secret;
  if (!isWrong && !(isPublic && params.client_secret === undefined)) return;
  const message = isWrong
    ? `The client_secret provided does not match any associated ${what} on this account.`
    : `Missing required param: client_secret.`;
  throw refused(message, { code: isWrong ? `${what}_invalid` : "parameter_missing", param: "client_secret" });
}

type Confirmation = { payment_method?: string | undefined; off_session?: boolean | undefined };

function confirmPayment(world: StripeWorld, intent: PaymentIntent, order: Confirmation): PaymentIntent {
  if (intent.status === "succeeded" || intent.status === "canceled") {
    throw new StripeFault(400, {
      type: "invalid_request_error",
      code: "payment_intent_unexpected_state",
      message:
        intent.status === "succeeded"
          ? "You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed."
          : "This PaymentIntent's status is canceled, so it cannot be confirmed.",
      payment_intent: plain(world, intent),
    });
  }
  const named =
    order.payment_method === undefined
      ? find(world, "payment_method", intent.payment_method)
      : methodOf(world, order.payment_method);
  if (named === null) {
    throw refused(
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
      { code: "payment_intent_unexpected_state" },
    );
  }
  if (named.customer !== null && named.customer !== intent.customer) {
    throw refused(
      "The customer associated with this PaymentIntent does not match the customer of the PaymentMethod.",
      { code: "payment_method_customer_mismatch", param: "payment_method" },
    );
  }
  const isOffSession = order.off_session ?? false;
  const invoice = find(world, "invoice", intent.sim.invoice);
  const attempt =
    invoice?.status === "open" && intentOf(world, invoice)?.id === intent.id
      ? payInvoice(world, invoice, { method: named, isOffSession })
      : attemptAlone(world, intent, () => attemptPayment(world, intent, named, isOffSession));
  if (attempt.kind === "declined") {
    throw declined(attempt.error, {
      payment_intent: plain(world, intent),
      payment_method: plain(world, named),
    });
  }
  return intent;
}

function attemptAlone(world: StripeWorld, intent: PaymentIntent, attempt: () => Attempt): Attempt {
  const made = attempt();
  followAttempt(world, intent, made);
  return made;
}

function confirmSetup(world: StripeWorld, intent: SetupIntent, order: Confirmation): SetupIntent {
  if (intent.status === "succeeded" || intent.status === "canceled") {
    throw new StripeFault(400, {
      type: "invalid_request_error",
      code: "setup_intent_unexpected_state",
      message: `You cannot confirm this SetupIntent because its status is ${intent.status}.`,
      setup_intent: plain(world, intent),
    });
  }
  const id = order.payment_method ?? intent.payment_method;
  if (id === null) {
    throw refused("You cannot confirm this SetupIntent because it's missing a payment method.", {
      code: "setup_intent_unexpected_state",
    });
  }
  const method = methodOf(world, id);
  const attempt = attemptSetup(world, intent, method);
  if (attempt.kind === "declined") {
    throw declined(attempt.error, {
      setup_intent: plain(world, intent),
      payment_method: plain(world, method),
    });
  }
  return intent;
}
