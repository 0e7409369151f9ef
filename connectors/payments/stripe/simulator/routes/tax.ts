import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { refused } from "../errors.ts";
import { emit, emitUpdate } from "../events.ts";
import { page } from "../lists.ts";
import { bool, decimal, id, listParams, metadata, params, text } from "../params.ts";
import { plain } from "../render.ts";
import type { StripeWorld } from "../state.ts";
import { all, get, newId, nowFor, nowOf, put } from "../store.ts";
import type { TaxId } from "../things/catalogue.ts";
import { living, merged } from "./customers.ts";

const rateFields = {
  active: bool.optional(),
  country: text.optional(),
  description: text.optional(),
  display_name: id.optional(),
  jurisdiction: text.optional(),
  metadata: metadata.optional(),
  state: text.optional(),
  tax_type: id.optional(),
};

export const taxRoutes = [
  endpoint(
    "POST /v1/tax_rates",
    params({
      ...rateFields,
      display_name: id,
      inclusive: bool,
      percentage: decimal.pipe(z.number().min(0).max(100)),
    }),
    ({ world, params }) => {
      const rate = put(world, "tax_rate", {
        id: newId("txr"),
        object: "tax_rate",
        active: params.active ?? true,
        country: params.country ?? null,
        created: nowOf(world),
        display_name: params.display_name,
        inclusive: params.inclusive,
        livemode: false,
        percentage: params.percentage,
        ...{
          description: params.description ?? null,
          effective_percentage: params.percentage,
          flat_amount: null,
        },
        ...{
          jurisdiction: params.jurisdiction ?? null,
          jurisdiction_level: null,
          metadata: params.metadata ?? {},
        },
        ...{ rate_type: "percentage", state: params.state ?? null, tax_type: params.tax_type ?? null },
      });
      emit(world, "tax_rate.created", rate);
      return rate;
    },
  ),
  endpoint("GET /v1/tax_rates/{id}", params({}), ({ world, id }) => get(world, "tax_rate", id)),
  // The percentage of a rate never changes (billing/taxes/tax-rates).
  endpoint(
    "POST /v1/tax_rates/{id}",
    params(rateFields),
    ({ world, id, params: { metadata: marks, expand: _, ...given } }) => {
      const rate = get(world, "tax_rate", id) as ReturnType<typeof get<"tax_rate">> & {
        metadata: Record<string, string>;
      };
      const before = plain(world, rate);
      Object.assign(
        rate,
        Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      );
      rate.metadata = merged(rate.metadata, marks);
      emitUpdate(world, "tax_rate.updated", rate, before);
      return rate;
    },
  ),
  endpoint(
    "GET /v1/tax_rates",
    listParams({ active: bool.optional(), inclusive: bool.optional() }),
    (call) => {
      const { active, inclusive } = call.params;
      const found = all(call.world, "tax_rate").filter(
        (each) => (active ?? each.active) === each.active && (inclusive ?? each.inclusive) === each.inclusive,
      );
      return page(found, call.params, call.url);
    },
  ),
  endpoint(
    "POST /v1/customers/{id}/tax_ids",
    params({ type: z.string().regex(/^[a-z]{2}_[a-z_]+$/), value: id }),
    ({ world, id, params: { type, value } }) => createTaxId(world, living(world, id).id, type, value),
  ),
  endpoint("GET /v1/customers/{id}/tax_ids", listParams({}), ({ world, id, params, url }) => {
    living(world, id);
    return page(
      all(world, "tax_id").filter(({ customer }) => customer === id),
      params,
      url,
    );
  }),
  endpoint("GET /v1/customers/{customer}/tax_ids/{id}", params({}), ({ world, id, subId }) =>
    ownTaxId(world, id, subId),
  ),
  endpoint("DELETE /v1/customers/{customer}/tax_ids/{id}", params({}), ({ world, id, subId }) => {
    const taxId = ownTaxId(world, id, subId);
    emit(world, "customer.tax_id.deleted", taxId);
    delete world.state.tables.tax_id[subId];
    return { id: subId, object: "tax_id", deleted: true };
  }),
];

function ownTaxId(world: StripeWorld, customer: string, id: string): TaxId {
  living(world, customer);
  const found = get(world, "tax_id", id, "id");
  if (found.customer !== customer)
    throw refused(`No such tax id: '${id}'`, { code: "resource_missing", param: "id" });
  return found;
}

/** Shapes of some tax ids; the others are taken as they are (docs.stripe.com/billing/customer/tax-ids). */
const SHAPES: Record<string, RegExp> = {
  eu_vat: /^[A-Z]{2}[0-9A-Z+*]{2,12}$/,
  gb_vat: /^(GB)?(\d{9}|\d{12}|(GD|HA)\d{3})$/,
  us_ein: /^\d{2}-?\d{7}$/,
  ch_vat: /^CHE-?[\d.]{9,11} ?(MWST|TVA|IVA)$/,
  au_abn: /^[\d ]{11,14}$/,
};

/** Adds a tax id to a customer. @throws StripeFault for a value that has not the shape of its type */
export function createTaxId(world: StripeWorld, customer: string, type: string, value: string): TaxId {
  if (!(SHAPES[type] ?? /^.{2,40}$/).test(value.replaceAll(/(?<=^[A-Z]{2})[ .-]/g, ""))) {
    throw refused(`Invalid value for ${type}.`, { code: "tax_id_invalid", param: "value" });
  }
  const isDoubled = all(world, "tax_id").some(
    (each) => each.customer === customer && each.type === type && each.value === value,
  );
  if (isDoubled)
    throw refused("This tax ID already exists for this customer.", { code: "resource_already_exists" });
  const country = type === "eu_vat" ? value.slice(0, 2).replace("EL", "GR") : type.slice(0, 2).toUpperCase();
  // Values for tests (docs.stripe.com/billing/customer/tax-ids#validation).
  const status = value.endsWith("000000000")
    ? "verified"
    : value.endsWith("111111111")
      ? "unverified"
      : "pending";
  const taxId = put(world, "tax_id", {
    id: newId("txi"),
    object: "tax_id",
    country,
    created: nowFor(world, customer),
    customer,
    livemode: false,
    type,
    value,
    ...{ customer_account: null, owner: { customer, customer_account: null, type: "customer" } },
    ...{ verification: { status, verified_address: null, verified_name: null } },
  });
  emit(world, "customer.tax_id.created", taxId);
  return taxId;
}
