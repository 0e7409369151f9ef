import { z } from "zod";
import { endSubscription } from "../collect.ts";
import { endpoint } from "../endpoint.ts";
import { refused } from "../errors.ts";
import { emit, emitUpdate } from "../events.ts";
import { moveBalance } from "../invoices.ts";
import { page } from "../lists.ts";
import { address, clearable, id, int, listParams, metadata, params, text } from "../params.ts";
import { plain } from "../render.ts";
import type { StripeWorld } from "../state.ts";
import { all, find, get, newId, nowOf, put } from "../store.ts";
import type { Address, Metadata } from "../things/base.ts";
import type { Customer } from "../things/payments.ts";

const fields = {
  address: address.optional(),
  balance: int.optional(),
  description: text.optional(),
  email: text.optional(),
  invoice_settings: z
    .strictObject({ default_payment_method: text.optional(), footer: text.optional() })
    .optional(),
  metadata: metadata.optional(),
  name: text.optional(),
  phone: text.optional(),
  tax_exempt: clearable(z.enum(["none", "exempt", "reverse"])).optional(),
};
type Fields = z.output<z.ZodObject<typeof fields>>;

export const customerRoutes = [
  endpoint(
    "POST /v1/customers",
    params({ ...fields, invoice_prefix: id.optional(), test_clock: id.optional() }),
    ({ world, params: { test_clock, invoice_prefix, ...given } }) => {
      if (test_clock !== undefined) get(world, "test_helpers.test_clock", test_clock, "test_clock");
      const customer = put(world, "customer", {
        id: newId("cus", 14),
        object: "customer",
        address: null,
        balance: 0,
        created: nowOf(world, test_clock ?? null),
        currency: null,
        delinquent: false,
        description: null,
        email: null,
        invoice_prefix: invoice_prefix ?? newId("x", 8).slice(2).toUpperCase(),
        invoice_settings: {
          default_payment_method: null,
          footer: null,
          ...{ custom_fields: null, rendering_options: null },
        },
        livemode: false,
        metadata: {},
        name: null,
        next_invoice_sequence: 1,
        phone: null,
        tax_exempt: "none",
        test_clock: test_clock ?? null,
        ...{ default_source: null, discount: null, preferred_locales: [], shipping: null },
      });
      edit(world, customer, given);
      emit(world, "customer.created", customer);
      return customer;
    },
  ),
  endpoint("GET /v1/customers/{id}", params({}), ({ world, id }) => {
    const customer = get(world, "customer", id, "id");
    return customer.deleted ? { id, object: "customer", deleted: true } : customer;
  }),
  endpoint("POST /v1/customers/{id}", params(fields), ({ world, id, params }) => {
    const customer = living(world, id);
    const before = plain(world, customer);
    edit(world, customer, params);
    emitUpdate(world, "customer.updated", customer, before);
    return customer;
  }),
  endpoint("GET /v1/customers", listParams({ email: id.optional(), test_clock: id.optional() }), (call) => {
    const { email, test_clock = null } = call.params;
    const found = all(call.world, "customer").filter(
      (each) => !each.deleted && (email ?? each.email) === each.email && each.test_clock === test_clock,
    );
    return page(found, call.params, call.url);
  }),
  endpoint("DELETE /v1/customers/{id}", params({}), ({ world, id }) => {
    const customer = living(world, id);
    for (const subscription of all(world, "subscription")) {
      if (subscription.customer !== id || ["canceled", "incomplete_expired"].includes(subscription.status))
        continue;
      endSubscription(world, subscription, "cancellation_requested");
    }
    emit(world, "customer.deleted", customer);
    customer.deleted = true;
    return { id, object: "customer", deleted: true };
  }),
  endpoint("GET /v1/customers/{id}/balance_transactions", listParams({ invoice: id.optional() }), (call) => {
    living(call.world, call.id);
    const found = all(call.world, "customer_balance_transaction").filter(
      ({ customer, invoice }) => customer === call.id && (call.params.invoice ?? invoice) === invoice,
    );
    return page(found, call.params, call.url);
  }),
  endpoint(
    "POST /v1/customers/{id}/balance_transactions",
    params({ amount: int, currency: id, description: text.optional(), metadata: metadata.optional() }),
    ({ world, id, params: { amount } }) => {
      moveBalance(world, living(world, id), null, amount);
      return all(world, "customer_balance_transaction")[0];
    },
  ),
];

/** @throws StripeFault when there is no such customer, or no more */
export function living(world: StripeWorld, id: string, param = "customer"): Customer {
  const customer = get(world, "customer", id, param);
  if (customer.deleted) {
    throw refused(`No such customer: '${id}'; a similar object exists but was deleted`, {
      code: "resource_missing",
      param,
    });
  }
  return customer;
}

function edit(world: StripeWorld, customer: Customer, given: Fields): void {
  const {
    address: place,
    balance,
    invoice_settings: settings,
    metadata: marks,
    tax_exempt,
    ...simple
  } = given;
  for (const [name, value] of Object.entries(simple)) {
    if (value !== undefined && name !== "expand") Object.assign(customer, { [name]: value });
  }
  if (place !== undefined) customer.address = place === null ? null : wholeAddress(place);
  if (tax_exempt !== undefined) customer.tax_exempt = tax_exempt ?? "none";
  if (settings?.default_payment_method !== undefined) {
    setDefaultMethod(world, customer, settings.default_payment_method);
  }
  if (settings?.footer !== undefined) customer.invoice_settings.footer = settings.footer;
  customer.metadata = merged(customer.metadata, marks);
  if (balance !== undefined) moveBalance(world, customer, null, balance - customer.balance);
}

function setDefaultMethod(world: StripeWorld, customer: Customer, method: string | null): void {
  const found = method === null ? null : find(world, "payment_method", method);
  if (method !== null && found?.customer !== customer.id) {
    throw refused(
      `The customer does not have a payment method with the ID ${method}. The payment method must be attached to the customer.`,
      { code: "resource_missing", param: "invoice_settings[default_payment_method]" },
    );
  }
  customer.invoice_settings.default_payment_method = method;
}

/** An address with all of its fields. */
export function wholeAddress(given: Partial<Record<keyof Address, string | null | undefined>>): Address {
  const { city = null, country = null, line1 = null, line2 = null, postal_code = null, state = null } = given;
  return { city, country, line1, line2, postal_code, state };
}

/** Metadata after an update: an empty text removes its key, null removes all (docs.stripe.com/api/metadata). */
export function merged(former: Metadata, given: Metadata | null | undefined): Metadata {
  if (given === undefined) return former;
  if (given === null) return {};
  return Object.fromEntries(Object.entries({ ...former, ...given }).filter(([, value]) => value !== ""));
}
