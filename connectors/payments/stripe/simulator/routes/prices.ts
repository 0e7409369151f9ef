import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { refused } from "../errors.ts";
import { emit, emitUpdate } from "../events.ts";
import { page } from "../lists.ts";
import { bool, clearable, decimal, id, int, listParams, metadata, params, strings, text } from "../params.ts";
import { plain } from "../render.ts";
import type { StripeWorld } from "../state.ts";
import { all, get, newId, nowOf, put } from "../store.ts";
import type { Price, Tier } from "../things/catalogue.ts";
import { merged } from "./customers.ts";
import { productFrom } from "./products.ts";

const interval = z.enum(["day", "week", "month", "year"]);
const tier = z.strictObject({
  up_to: z.union([z.literal("inf").transform(() => null), int]),
  unit_amount: int.optional(),
  flat_amount: int.optional(),
});
const taxBehavior = z.enum(["exclusive", "inclusive", "unspecified"]);

export const priceRoutes = [
  endpoint(
    "POST /v1/prices",
    params({
      currency: z.string().length(3),
      product: id.optional(),
      product_data: z.strictObject({ name: id, metadata: metadata.optional() }).optional(),
      active: bool.optional(),
      billing_scheme: z.enum(["per_unit", "tiered"]).optional(),
      lookup_key: id.optional(),
      transfer_lookup_key: bool.optional(),
      metadata: metadata.optional(),
      nickname: text.optional(),
      recurring: z
        .strictObject({
          interval,
          interval_count: int.optional(),
          usage_type: z.literal("licensed").optional(),
        })
        .optional(),
      tax_behavior: taxBehavior.optional(),
      tiers: z.array(tier).optional(),
      tiers_mode: z.enum(["graduated", "volume"]).optional(),
      unit_amount: int.optional(),
      unit_amount_decimal: decimal.optional(),
    }),
    ({ world, params }) => {
      const isTiered = params.billing_scheme === "tiered";
      const tiers = tiersOf(params, isTiered);
      takeLookupKey(world, params.lookup_key, params.transfer_lookup_key ?? false, null);
      const product =
        params.product === undefined
          ? put(world, "product", productFrom(world, params.product_data?.name ?? ""))
          : get(world, "product", params.product);
      const amount = params.unit_amount ?? params.unit_amount_decimal ?? null;
      const price = put(world, "price", {
        id: newId("price"),
        object: "price",
        active: params.active ?? true,
        billing_scheme: isTiered ? "tiered" : "per_unit",
        created: nowOf(world),
        currency: params.currency.toLowerCase(),
        livemode: false,
        lookup_key: params.lookup_key ?? null,
        metadata: params.metadata ?? {},
        nickname: params.nickname ?? null,
        product: product.id,
        recurring: params.recurring
          ? {
              interval: params.recurring.interval,
              interval_count: params.recurring.interval_count ?? 1,
              ...{ meter: null, trial_period_days: null, usage_type: "licensed" },
            }
          : null,
        tax_behavior: params.tax_behavior ?? "unspecified",
        tiers_mode: isTiered ? (params.tiers_mode ?? "graduated") : null,
        unit_amount: isTiered ? null : Number.isInteger(amount) ? amount : null,
        unit_amount_decimal: isTiered || amount === null ? null : String(amount),
        sim: { tiers },
        ...{
          custom_unit_amount: null,
          transform_quantity: null,
          type: params.recurring ? "recurring" : "one_time",
        },
      });
      emit(world, "price.created", price);
      return price;
    },
  ),
  endpoint("GET /v1/prices/{id}", params({}), ({ world, id }) => get(world, "price", id, "price")),
  endpoint(
    "POST /v1/prices/{id}",
    params({
      active: bool.optional(),
      lookup_key: clearable(id).optional(),
      transfer_lookup_key: bool.optional(),
      metadata: metadata.optional(),
      nickname: text.optional(),
      tax_behavior: taxBehavior.optional(),
    }),
    ({ world, id, params }) => {
      const price = get(world, "price", id, "price");
      const before = plain(world, price);
      if (params.lookup_key !== undefined) {
        takeLookupKey(world, params.lookup_key ?? undefined, params.transfer_lookup_key ?? false, id);
        price.lookup_key = params.lookup_key;
      }
      price.active = params.active ?? price.active;
      if (params.nickname !== undefined) price.nickname = params.nickname;
      price.tax_behavior = params.tax_behavior ?? price.tax_behavior;
      price.metadata = merged(price.metadata, params.metadata);
      emitUpdate(world, "price.updated", price, before);
      return price;
    },
  ),
  endpoint(
    "GET /v1/prices",
    listParams({
      active: bool.optional(),
      currency: id.optional(),
      product: id.optional(),
      lookup_keys: strings.max(10).optional(),
      type: z.enum(["one_time", "recurring"]).optional(),
      recurring: z.strictObject({ interval: interval.optional() }).optional(),
    }),
    (call) => {
      const { active, currency, product, lookup_keys: keys, type, recurring } = call.params;
      const found = all(call.world, "price").filter(
        (each) =>
          (active ?? each.active) === each.active &&
          (currency ?? each.currency) === each.currency &&
          (product ?? each.product) === each.product &&
          (keys === undefined || keys.includes(each.lookup_key ?? "")) &&
          (type === undefined || (type === "recurring") === (each.recurring !== null)) &&
          (recurring?.interval === undefined || recurring.interval === each.recurring?.interval),
      );
      return page(found, call.params, call.url);
    },
  ),
];

type TierOrder = {
  tiers?: z.output<typeof tier>[] | undefined;
  tiers_mode?: string | undefined;
  unit_amount?: number | undefined;
  unit_amount_decimal?: number | undefined;
};

/** Tiers ascend, and the last has no end (docs.stripe.com/products-prices/pricing-models). */
function tiersOf(order: TierOrder, isTiered: boolean): Tier[] {
  const { tiers } = order;
  if (!isTiered) {
    if (tiers)
      throw refused("Received unknown parameter: tiers; `billing_scheme` must be `tiered`.", {
        param: "tiers",
      });
    if (order.unit_amount === undefined && order.unit_amount_decimal === undefined) {
      throw refused("Prices require an `unit_amount` or `unit_amount_decimal` parameter to be set.");
    }
    return [];
  }
  if (!tiers?.length || order.tiers_mode === undefined) {
    throw refused("When `billing_scheme=tiered`, you must provide `tiers` and `tiers_mode`.", {
      param: "tiers",
    });
  }
  const ends = tiers.map(({ up_to }) => up_to ?? Number.POSITIVE_INFINITY);
  if (
    ends.at(-1) !== Number.POSITIVE_INFINITY ||
    ends.some((end, at) => at > 0 && end <= (ends[at - 1] ?? 0))
  ) {
    throw refused("The tiers must ascend, and the last must have `up_to=inf`.", { param: "tiers" });
  }
  return tiers.map(({ up_to, unit_amount, flat_amount }) => ({
    up_to,
    unit_amount: unit_amount ?? null,
    flat_amount: flat_amount ?? null,
  }));
}

/** A lookup key belongs to one active price; `transfer_lookup_key` takes it from the other (api/prices/create). */
function takeLookupKey(
  world: StripeWorld,
  key: string | undefined,
  isTransfer: boolean,
  id: string | null,
): void {
  if (key === undefined) return;
  const holder = all(world, "price").find((each: Price) => each.lookup_key === key && each.id !== id);
  if (!holder) return;
  if (!isTransfer) {
    throw refused(
      `A price (\`${holder.id}\`) already uses that lookup key. You can pass \`transfer_lookup_key=true\` to transfer the lookup key from the existing price to this one.`,
      { param: "lookup_key" },
    );
  }
  const before = plain(world, holder);
  holder.lookup_key = null;
  emitUpdate(world, "price.updated", holder, before);
}
