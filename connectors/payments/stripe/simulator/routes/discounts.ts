import { z } from "zod";
import { isActive, isValid } from "../discounts.ts";
import { endpoint } from "../endpoint.ts";
import { refused } from "../errors.ts";
import { emit, emitUpdate } from "../events.ts";
import { page } from "../lists.ts";
import { bool, decimal, id, int, listParams, metadata, params, strings, text } from "../params.ts";
import { plain } from "../render.ts";
import type { StripeWorld } from "../state.ts";
import { all, find, get, newId, nowOf, put } from "../store.ts";
import type { Coupon, PromotionCode } from "../things/catalogue.ts";
import { living, merged } from "./customers.ts";

/** The parameters of a coupon; the control API takes them as well. */
export const couponParams = params({
  id: id.optional(),
  amount_off: int.optional(),
  currency: z.string().length(3).optional(),
  percent_off: decimal.pipe(z.number().gt(0).max(100)).optional(),
  duration: z.enum(["forever", "once", "repeating"]).optional(),
  duration_in_months: int.optional(),
  max_redemptions: int.optional(),
  redeem_by: int.optional(),
  name: text.optional(),
  metadata: metadata.optional(),
  applies_to: z.strictObject({ products: strings }).optional(),
});
/** The parameters of a promotion code; the control API takes them as well. */
export const promotionCodeParams = params({
  promotion: z.strictObject({ type: z.literal("coupon"), coupon: id }),
  code: z
    .string()
    .regex(/^[\w-]+$/)
    .optional(),
  active: bool.optional(),
  customer: id.optional(),
  expires_at: int.optional(),
  max_redemptions: int.optional(),
  metadata: metadata.optional(),
  restrictions: z
    .strictObject({
      first_time_transaction: bool.optional(),
      minimum_amount: int.optional(),
      minimum_amount_currency: z.string().length(3).optional(),
    })
    .optional(),
});

export const discountRoutes = [
  endpoint("POST /v1/coupons", couponParams, ({ world, params }) => createCoupon(world, params)),
  endpoint("GET /v1/coupons/{id}", params({}), ({ world, id }) => asOfNow(world, get(world, "coupon", id))),
  endpoint("GET /v1/coupons", listParams({}), ({ world, params, url }) =>
    page(
      all(world, "coupon").map((coupon) => asOfNow(world, coupon)),
      params,
      url,
    ),
  ),
  endpoint(
    "POST /v1/coupons/{id}",
    params({ name: text.optional(), metadata: metadata.optional() }),
    ({ world, id, params }) => {
      const coupon = get(world, "coupon", id);
      const before = plain(world, coupon);
      if (params.name !== undefined) coupon.name = params.name;
      coupon.metadata = merged(coupon.metadata, params.metadata);
      emitUpdate(world, "coupon.updated", coupon, before);
      return coupon;
    },
  ),
  endpoint("DELETE /v1/coupons/{id}", params({}), ({ world, id }) => {
    const coupon = get(world, "coupon", id);
    // Discounts keep what they were made from; nobody can redeem it any more.
    coupon.valid = false;
    coupon.max_redemptions = 0;
    emit(world, "coupon.deleted", coupon);
    return { id, object: "coupon", deleted: true };
  }),
  endpoint("POST /v1/promotion_codes", promotionCodeParams, ({ world, params }) =>
    createPromotionCode(world, params),
  ),
  endpoint("GET /v1/promotion_codes/{id}", params({}), ({ world, id }) =>
    codeAsOfNow(world, get(world, "promotion_code", id)),
  ),
  endpoint(
    "GET /v1/promotion_codes",
    listParams({
      active: bool.optional(),
      code: id.optional(),
      coupon: id.optional(),
      customer: id.optional(),
    }),
    (call) => {
      const { active, code, coupon, customer } = call.params;
      const found = all(call.world, "promotion_code")
        .map((each) => codeAsOfNow(call.world, each))
        .filter(
          (each) =>
            (active ?? each.active) === each.active &&
            // Codes are case-insensitive (api/promotion_codes/create).
            (code ?? each.code).toUpperCase() === each.code.toUpperCase() &&
            (coupon ?? each.promotion.coupon) === each.promotion.coupon &&
            (customer ?? each.customer) === each.customer,
        );
      for (const each of found) asOfNow(call.world, get(call.world, "coupon", each.promotion.coupon));
      return page(found, call.params, call.url);
    },
  ),
  endpoint(
    "POST /v1/promotion_codes/{id}",
    params({ active: bool.optional(), metadata: metadata.optional() }),
    ({ world, id, params }) => {
      const code = get(world, "promotion_code", id);
      const before = plain(world, code);
      code.active = params.active ?? code.active;
      code.metadata = merged(code.metadata, params.metadata);
      emitUpdate(world, "promotion_code.updated", code, before);
      return code;
    },
  ),
];

function asOfNow(world: StripeWorld, coupon: Coupon): Coupon {
  coupon.valid = isValid(coupon, nowOf(world));
  return coupon;
}

function codeAsOfNow(world: StripeWorld, code: PromotionCode): PromotionCode {
  code.active =
    isActive(code, nowOf(world)) && asOfNow(world, get(world, "coupon", code.promotion.coupon)).valid;
  return code;
}

/** @throws StripeFault unless it takes off either an amount or a percentage */
export function createCoupon(world: StripeWorld, order: z.output<typeof couponParams>): Coupon {
  const { amount_off = null, percent_off = null, duration = "once" } = order;
  if ((amount_off === null) === (percent_off === null)) {
    throw refused("You must pass exactly one of percent_off or amount_off.");
  }
  if (amount_off !== null && order.currency === undefined) {
    throw refused("Missing required param: currency.", { code: "parameter_missing", param: "currency" });
  }
  if ((duration === "repeating") !== (order.duration_in_months !== undefined)) {
    throw refused("You must pass `duration_in_months` with `duration=repeating`, and only then.");
  }
  if (order.id !== undefined && find(world, "coupon", order.id)) {
    throw refused("Coupon already exists.", { code: "resource_already_exists", param: "id" });
  }
  const coupon = put(world, "coupon", {
    id: order.id ?? newId("x", 8).slice(2),
    object: "coupon",
    amount_off,
    created: nowOf(world),
    currency: amount_off === null ? null : (order.currency?.toLowerCase() ?? null),
    duration,
    duration_in_months: order.duration_in_months ?? null,
    livemode: false,
    max_redemptions: order.max_redemptions ?? null,
    metadata: order.metadata ?? {},
    name: order.name ?? null,
    percent_off,
    redeem_by: order.redeem_by ?? null,
    times_redeemed: 0,
    valid: true,
    sim: { products: order.applies_to?.products ?? null },
  });
  emit(world, "coupon.created", coupon);
  return coupon;
}

/** @throws StripeFault when an active promotion code has the same code */
export function createPromotionCode(
  world: StripeWorld,
  order: z.output<typeof promotionCodeParams>,
): PromotionCode {
  const coupon = get(world, "coupon", order.promotion.coupon, "promotion[coupon]");
  const code = order.code ?? newId("x", 8).slice(2).toUpperCase();
  const isTaken = all(world, "promotion_code").some(
    (each) => each.active && each.code.toUpperCase() === code.toUpperCase(),
  );
  if (isTaken)
    throw refused(`An active promotion code with \`code: ${code}\` already exists.`, { param: "code" });
  const customer = order.customer === undefined ? null : living(world, order.customer).id;
  const made = put(world, "promotion_code", {
    id: newId("promo"),
    object: "promotion_code",
    active: order.active ?? true,
    code,
    created: nowOf(world),
    customer,
    expires_at: order.expires_at ?? null,
    livemode: false,
    max_redemptions: order.max_redemptions ?? null,
    metadata: order.metadata ?? {},
    promotion: { coupon: coupon.id, type: "coupon" },
    restrictions: {
      first_time_transaction: order.restrictions?.first_time_transaction ?? false,
      minimum_amount: order.restrictions?.minimum_amount ?? null,
      minimum_amount_currency: order.restrictions?.minimum_amount_currency ?? null,
    },
    times_redeemed: 0,
    ...{ customer_account: null },
  });
  emit(world, "promotion_code.created", made);
  return made;
}
