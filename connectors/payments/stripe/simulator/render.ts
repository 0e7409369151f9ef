import { refused } from "./errors.ts";
import type { Kind, StripeWorld } from "./state.ts";
import { all, find } from "./store.ts";
import type { Price } from "./things/catalogue.ts";
import type { Invoice } from "./things/subscriptions.ts";

export type Json = Record<string, unknown>;

/** What an id in a field stands for, by the object and the field. Fields of several objects stand under `*`. */
const EXPANDS: Record<string, Record<string, Kind>> = {
  "*": {
    customer: "customer",
    payment_method: "payment_method",
    default_payment_method: "payment_method",
    payment_intent: "payment_intent",
    latest_invoice: "invoice",
    invoice: "invoice",
    latest_charge: "charge",
    charge: "charge",
    subscription: "subscription",
    pending_setup_intent: "setup_intent",
    product: "product",
    price: "price",
    promotion_code: "promotion_code",
    coupon: "coupon",
    test_clock: "test_helpers.test_clock",
    tax_rate: "tax_rate",
    configuration: "billing_portal.configuration",
    discount: "discount",
    discounts: "discount",
  },
};

/** Fields that are answered only when a call expands them. */
const INCLUDED: Record<string, Record<string, (world: StripeWorld, thing: Json) => unknown>> = {
  price: { tiers: (_, price) => tiersOf(price as unknown as Price) },
  coupon: {
    applies_to: (_, { sim }) => ({ products: (sim as { products: string[] | null }).products ?? [] }),
  },
  invoice: {
    payments: (_, invoice) => listOf(paymentsOf(invoice), `/v1/invoice_payments?invoice=${invoice.id}`),
    confirmation_secret: (world, invoice) => confirmationSecret(world, invoice as unknown as Invoice),
  },
  customer: {
    tax_ids: (world, { id }) =>
      listOf(
        all(world, "tax_id").filter(({ customer }) => customer === id),
        `/v1/customers/${id}/tax_ids`,
      ),
    subscriptions: (world, { id }) =>
      listOf(
        all(world, "subscription").filter(
          ({ customer, status }) => customer === id && !["canceled", "incomplete_expired"].includes(status),
        ),
        `/v1/customers/${id}/subscriptions`,
      ),
  },
  charge: {
    refunds: (world, { id }) =>
      listOf(
        all(world, "refund").filter(({ charge }) => charge === id),
        `/v1/charges/${id}/refunds`,
      ),
  },
};

/** A list object. */
export function listOf(data: unknown[], url: string, hasMore = false): Json {
  return { object: "list", data, has_more: hasMore, url };
}

function paymentsOf({ sim }: Json): unknown[] {
  return (sim as { payments: unknown[] }).payments;
}

function tiersOf({ sim }: Price): unknown[] {
  const asText = (amount: number | null) => (amount === null ? null : String(amount));
  return sim.tiers.map(({ up_to, unit_amount, flat_amount }) => ({
    flat_amount,
    flat_amount_decimal: asText(flat_amount),
    unit_amount,
    unit_amount_decimal: asText(unit_amount),
    up_to,
  }));
}

/** The client secret with which a browser pays a finalised invoice; null when there is nothing to pay. */
function confirmationSecret(world: StripeWorld, { sim }: Invoice): Json | null {
  const payment = sim.payments.find(({ is_default }) => is_default);
  const intent = payment ? find(world, "payment_intent", payment.payment.payment_intent) : null;
  return intent ? { client_secret: intent.client_secret, type: "payment_intent" } : null;
}

/** The object as an event shows it: nothing expanded. */
export function plain<T>(world: StripeWorld, thing: T): T {
  return answered(world, structuredClone(thing)) as T;
}

/**
 * The object as the API answers it, with expanded fields (docs.stripe.com/api/expanding_objects).
 * @throws StripeFault 400 for a field that cannot be expanded, or beyond four levels
 */
export function render(world: StripeWorld, thing: unknown, expand: readonly string[] = []): unknown {
  const copy = structuredClone(thing);
  // The shorter path comes first, so that the longer one finds its object.
  for (const path of [...expand].sort((one, other) => one.length - other.length)) {
    const parts = path.split(".");
    if (parts.length > 4) {
      throw refused(
        `You cannot expand more than 4 levels of a property. You expanded ${parts.length} levels: ${path}`,
        { param: "expand" },
      );
    }
    walk(world, copy, parts, path);
  }
  return answered(world, copy);
}

function walk(world: StripeWorld, node: unknown, [part, ...rest]: string[], whole: string): void {
  if (part === undefined || node === null) return;
  if (Array.isArray(node)) {
    for (const each of node) walk(world, each, [part, ...rest], whole);
    return;
  }
  const here = node as Json;
  const include = INCLUDED[String(here.object)]?.[part];
  if (include && here[part] === undefined) here[part] = structuredClone(include(world, here));
  const kind = EXPANDS["*"]?.[part];
  const value = here[part];
  if (kind && typeof value === "string") here[part] = expanded(world, kind, value);
  else if (kind && Array.isArray(value)) {
    here[part] = value.map((each) => (typeof each === "string" ? expanded(world, kind, each) : each));
  } else if (value === undefined || (typeof value !== "object" && rest.length > 0)) {
    throw refused(`This property cannot be expanded (${part}). You requested expansion of ${whole}.`, {
      param: "expand",
    });
  }
  if (rest.length > 0) walk(world, here[part], rest, whole);
}

function expanded(world: StripeWorld, kind: Kind, id: string): unknown {
  const found = find(world, kind, id);
  return found === null ? id : structuredClone(found);
}

/** Leaves out what is not answered, and embeds what is always answered whole. */
function answered(world: StripeWorld, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => answered(world, each));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(embedded(world, value as Json))
      .filter(([name]) => name !== "sim")
      .map(([name, inner]) => [name, answered(world, inner)]),
  );
}

function embedded(world: StripeWorld, thing: Json): Json {
  if (thing.object === "subscription_item" && typeof thing.price === "string") {
    const price = find(world, "price", thing.price);
    return price ? { ...thing, price, plan: planOf(price) } : thing;
  }
  if (thing.object === "subscription" || thing.object === "invoice") {
    const rates = (thing.default_tax_rates as string[]).map((id) => find(world, "tax_rate", id) ?? id);
    return { ...thing, default_tax_rates: rates };
  }
  return thing;
}

/** The older form of a price, which a subscription item still has. */
function planOf(price: Price): Json {
  return {
    id: price.id,
    object: "plan",
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: price.billing_scheme,
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval,
    interval_count: price.recurring?.interval_count,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: price.tiers_mode,
    transform_usage: null,
    trial_period_days: null,
    usage_type: "licensed",
  };
}
