import { z } from "zod";
import { attachDeclineOf, findCard } from "../cards.ts";
import { endpoint } from "../endpoint.ts";
import { declined, refused, StripeFault } from "../errors.ts";
import { emit, emitUpdate } from "../events.ts";
import { page } from "../lists.ts";
import { address, bool, clearable, id, int, listParams, metadata, params, text } from "../params.ts";
import { plain } from "../render.ts";
import type { StripeWorld } from "../state.ts";
import { all, find, get, newId, nowFor, put } from "../store.ts";
import type { PaymentMethod } from "../things/payments.ts";
import { living, merged, wholeAddress } from "./customers.ts";

const billing = z.strictObject({
  address: address.optional(),
  email: text.optional(),
  name: text.optional(),
  phone: text.optional(),
});
const card = z.strictObject({
  number: id.optional(),
  exp_month: int.optional(),
  exp_year: int.optional(),
  cvc: z.string().optional(),
  token: id.optional(),
});
const type = z.literal("card");

export const cardRoutes = [
  endpoint(
    "POST /v1/payment_methods",
    params({ type, card, billing_details: billing.optional(), metadata: metadata.optional() }),
    ({ world, params: { card, billing_details, metadata }, isPublic }) => {
      if (card.number !== undefined && !isPublic) {
        throw new StripeFault(402, {
          type: "invalid_request_error",
          message:
            "Sending credit card numbers directly to the Stripe API is generally unsafe. We suggest you use test tokens that map to the test card you are using, see https://stripe.com/docs/testing. To enable testing raw card data APIs, see https://support.stripe.com/questions/enabling-access-to-raw-card-data-apis.",
        });
      }
      return createMethod(world, card, { billing: billing_details, metadata });
    },
    { isPublic: true },
  ),
  endpoint(
    "POST /v1/tokens",
    params({ card }),
    ({ world, params: { card } }) => {
      const method = createMethod(world, card, {});
      return {
        ...{
          id: newId("tok"),
          object: "token",
          bank_account: null,
          client_ip: null,
          created: method.created,
        },
        ...{ livemode: false, type: "card", used: false, card: { ...method.card, object: "card" } },
      };
    },
    { isPublic: true },
  ),
  endpoint("GET /v1/payment_methods/{id}", params({}), ({ world, id }) =>
    get(world, "payment_method", id, "payment_method"),
  ),
  endpoint(
    "POST /v1/payment_methods/{id}",
    params({
      billing_details: billing.optional(),
      card: z.strictObject({ exp_month: int.optional(), exp_year: int.optional() }).optional(),
      metadata: metadata.optional(),
    }),
    ({ world, id, params }) => {
      const method = get(world, "payment_method", id, "payment_method");
      const before = plain(world, method);
      if (params.billing_details) Object.assign(method.billing_details, detailsOf(params.billing_details));
      Object.assign(method.card, params.card);
      method.metadata = merged(method.metadata, params.metadata);
      emitUpdate(world, "payment_method.updated", method, before);
      return method;
    },
  ),
  endpoint("POST /v1/payment_methods/{id}/attach", params({ customer: id }), ({ world, id, params }) =>
    attach(world, id, living(world, params.customer).id),
  ),
  endpoint("POST /v1/payment_methods/{id}/detach", params({}), ({ world, id }) => {
    const method = get(world, "payment_method", id, "payment_method");
    if (method.customer === null) {
      throw refused(
        "The payment method you provided is not attached to a customer so detachment is impossible.",
      );
    }
    const customer = get(world, "customer", method.customer);
    if (customer.invoice_settings.default_payment_method === id) {
      const before = plain(world, customer);
      customer.invoice_settings.default_payment_method = null;
      emitUpdate(world, "customer.updated", customer, before);
    }
    for (const subscription of all(world, "subscription")) {
      if (subscription.default_payment_method === id) subscription.default_payment_method = null;
    }
    emit(world, "payment_method.detached", method, { ...method, customer: method.customer });
    method.customer = null;
    return method;
  }),
  endpoint(
    "GET /v1/payment_methods",
    listParams({ customer: id.optional(), type: type.optional() }),
    (call) => methodsOf(call.world, call.params.customer ?? "", call),
  ),
  endpoint(
    "GET /v1/customers/{id}/payment_methods",
    listParams({ type: type.optional(), allow_redisplay: clearable(bool).optional() }),
    (call) => methodsOf(call.world, living(call.world, call.id).id, call),
  ),
];

function methodsOf(world: StripeWorld, customer: string, { params, url }: { params: object; url: string }) {
  const own = all(world, "payment_method").filter(
    (method) => method.customer === customer && customer !== "",
  );
  return page(own, params, url);
}

/**
 * Attaches a card to a customer; a name of a test card such as `pm_card_visa` becomes a card of its own.
 * @throws StripeFault 402 when the card declines the check
 */
export function attach(world: StripeWorld, id: string, customer: string): PaymentMethod {
  const method = find(world, "payment_method", id) ?? fromName(world, id);
  if (method.customer !== null && method.customer !== customer) {
    throw refused("The payment method you provided has already been attached to a customer.", {
      code: "payment_method_already_attached",
    });
  }
  const error = attachDeclineOf(method.sim.behaviour);
  if (error) throw declined(error, {});
  if (method.customer === customer) return method;
  method.customer = customer;
  emit(world, "payment_method.attached", method);
  return method;
}

/** The card of an id, or the one that a test name such as `pm_card_visa` makes. @throws StripeFault when it is neither */
export function methodOf(world: StripeWorld, id: string): PaymentMethod {
  return find(world, "payment_method", id) ?? fromName(world, id);
}

function fromName(world: StripeWorld, id: string): PaymentMethod {
  if (!id.startsWith("pm_card_") || !findCard(id)) return get(world, "payment_method", id);
  return createMethod(world, { token: id }, {});
}

type Billing = z.output<typeof billing>;
type CardOrder = z.output<typeof card>;

/** Makes a payment method of a test card. @throws StripeFault 402 for another number, or a date that is over */
export function createMethod(
  world: StripeWorld,
  order: CardOrder,
  {
    billing,
    metadata,
  }: { billing?: Billing | undefined; metadata?: Record<string, string> | null | undefined },
): PaymentMethod {
  const found = findCard(order.token ?? order.number ?? "");
  const now = new Date(nowFor(world, null) * 1000);
  const { exp_month = 12, exp_year = now.getUTCFullYear() + 4 } = order;
  const wrong = (code: string, message: string, param: string) =>
    declined({ type: "card_error", code, message }, { param });
  if (!found) {
    throw order.token === undefined
      ? wrong("incorrect_number", "Your card number is incorrect.", "number")
      : refused(`No such token: '${order.token}'`, { code: "resource_missing", param: "card[token]" });
  }
  if (exp_month < 1 || exp_month > 12) {
    throw wrong("invalid_expiry_month", "Your card's expiration month is invalid.", "exp_month");
  }
  const year = exp_year < 100 ? 2000 + exp_year : exp_year;
  if (year * 12 + exp_month < now.getUTCFullYear() * 12 + now.getUTCMonth() + 1) {
    throw wrong("invalid_expiry_year", "Your card's expiration year is invalid.", "exp_year");
  }
  const checks = { address_line1_check: null, address_postal_code_check: null, cvc_check: "pass" };
  return put(world, "payment_method", {
    id: newId("pm"),
    object: "payment_method",
    billing_details: {
      address: null,
      email: null,
      name: null,
      ...{ phone: null, tax_id: null },
      ...detailsOf(billing),
    },
    card: {
      brand: found.brand,
      country: "US",
      exp_month,
      exp_year: year,
      last4: found.number.slice(-4),
      ...{ checks, display_brand: found.brand, fingerprint: found.number.slice(-8), funding: "credit" },
      ...{ generated_from: null, networks: { available: [found.brand], preferred: null } },
      ...{ regulated_status: "unregulated", three_d_secure_usage: { supported: true }, wallet: null },
    },
    created: nowFor(world, null),
    customer: null,
    livemode: false,
    metadata: metadata ?? {},
    type: "card",
    sim: { behaviour: found.behaviour, isSetUp: false },
    ...{ allow_redisplay: "unspecified", customer_account: null },
  });
}

function detailsOf(billing: Billing | undefined): Partial<PaymentMethod["billing_details"]> {
  const { address: place, ...rest } = billing ?? {};
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return { ...given, ...(place ? { address: wholeAddress(place) } : {}) };
}
