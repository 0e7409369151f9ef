import { refused } from "./errors.ts";
import { addMonths } from "./periods.ts";
import type { StripeWorld } from "./state.ts";
import { all, get, newId, nowFor, put } from "./store.ts";
import type { Coupon, PromotionCode } from "./things/catalogue.ts";

/** A discount as a call names it. */
export type DiscountOrder = {
  coupon?: string | undefined;
  promotion_code?: string | undefined;
  discount?: string | undefined;
};

/**
 * Redeems coupons and promotion codes for a subscription (docs.stripe.com/billing/subscriptions/coupons).
 * @param order.isPreview nothing is counted
 * @throws StripeFault when one cannot be redeemed
 */
export function redeem(
  world: StripeWorld,
  orders: readonly DiscountOrder[],
  order: { customer: string; subscription: string; isPreview: boolean; subtotal?: number },
): string[] {
  return orders.map(({ coupon: couponId, promotion_code: codeId, discount }) => {
    if (discount !== undefined) return get(world, "discount", discount).id;
    const code = codeId === undefined ? null : get(world, "promotion_code", codeId);
    const coupon = get(world, "coupon", code?.promotion.coupon ?? couponId ?? "");
    const at = nowFor(world, order.customer);
    if (code) checkCode(world, code, { ...order, at });
    checkCoupon(coupon, at);
    if (!order.isPreview) {
      count(coupon, at);
      if (code) code.times_redeemed += 1;
    }
    const id = newId("di");
    put(world, "discount", {
      id,
      object: "discount",
      source: { coupon: coupon.id, type: "coupon" },
      promotion_code: codeId ?? null,
      subscription: order.subscription,
      customer: order.customer,
      start: at,
      end: coupon.duration === "repeating" ? addMonths(at, coupon.duration_in_months ?? 1) : null,
      ...{
        checkout_session: null,
        customer_account: null,
        invoice: null,
        invoice_item: null,
        subscription_item: null,
      },
    });
    return id;
  });
}

function count(coupon: Coupon, at: number): void {
  coupon.times_redeemed += 1;
  coupon.valid = isValid(coupon, at);
}

/** Whether a coupon can still be redeemed. */
export function isValid(
  { max_redemptions: most, redeem_by: until, times_redeemed: times }: Coupon,
  at: number,
): boolean {
  return (most === null || times < most) && (until === null || at < until);
}

/** Whether a promotion code can still be redeemed by anyone. */
export function isActive(
  { active, expires_at, max_redemptions: most, times_redeemed: times }: PromotionCode,
  at: number,
): boolean {
  return active && (expires_at === null || at < expires_at) && (most === null || times < most);
}

function checkCoupon(coupon: Coupon, at: number): void {
  if (!isValid(coupon, at)) {
    throw refused(`Coupon expired: ${coupon.id}`, { code: "coupon_expired", param: "discounts" });
  }
}

function checkCode(
  world: StripeWorld,
  code: PromotionCode,
  { customer, at, subtotal }: { customer: string; at: number; subtotal?: number },
): void {
  const { minimum_amount: least } = code.restrictions;
  if (least !== null && subtotal !== undefined && subtotal < least) {
    throw refused("This promotion code cannot be redeemed because the minimum amount is not reached.", {
      code: "promotion_code_minimum_amount_not_met",
      param: "discounts",
    });
  }
  if (!isActive(code, at)) {
    throw refused("This promotion code is expired or inactive.", {
      code: "promotion_code_expired",
      param: "discounts",
    });
  }
  if (code.customer !== null && code.customer !== customer) {
    throw refused("This promotion code cannot be redeemed because the associated customer does not match.", {
      code: "customer_mismatch",
      param: "discounts",
    });
  }
  const isFirst = all(world, "charge").every((charge) => charge.customer !== customer || !charge.paid);
  if (code.restrictions.first_time_transaction && !isFirst) {
    throw refused(
      "This promotion code cannot be redeemed because the associated customer has prior transactions.",
      {
        code: "promotion_code_customer_has_prior_transactions",
        param: "discounts",
      },
    );
  }
}
