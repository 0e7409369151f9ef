import type { Catalogue } from "#app/money/catalogue-view.ts";
import type { AppliedCoupon } from "./checkout-memory.ts";
import { type Choice, centsOfChoice } from "./choice.ts";

/** What a coupon takes off a price; never more than the price. */
export function discountOf({ amountOff, percentOff }: AppliedCoupon, cents: number): number {
  return Math.min(cents, percentOff === null ? (amountOff ?? 0) : Math.round((cents * percentOff) / 100));
}

/**
 * The platforms of a purchase that a coupon makes cheaper: a percentage all that it is for, an amount only the dearest
 * one, because it is given once.
 */
export function couponPlatforms(
  catalogue: Catalogue,
  choices: readonly Choice[],
  coupon: AppliedCoupon | null,
): ReadonlySet<string> {
  if (coupon === null) return new Set();
  const fitting = choices.filter(({ platform }) => coupon.platforms?.includes(platform) ?? true);
  if (coupon.percentOff !== null) return new Set(fitting.map(({ platform }) => platform));
  const cost = (choice: Choice) => centsOfChoice(catalogue, choice) ?? 0;
  const [first, ...rest] = fitting;
  if (!first) return new Set();
  return new Set([rest.reduce((most, each) => (cost(each) > cost(most) ? each : most), first).platform]);
}
