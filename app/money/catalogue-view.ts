import type { ResultOf } from "#app/api/call-api.ts";
import { centsOf } from "./usd.ts";

/** The prices that are sold, by platform. */
export type Catalogue = ResultOf<"GET payments/stripe-get-prices/">;
export type PaidPlan = "essential" | "pro_plan";
export type Period = "month" | "year";
type WirePrice = NonNullable<Catalogue[string][PaidPlan][Period]>;

/** One price: the whole bracket costs `cents`, or each unit in it does (`isUnit`, graduated). */
export type PriceView = {
  id: string;
  isUnit: boolean;
  brackets: readonly { from: number; to: number; cents: number }[];
  /** The quantity that the catalogue proposes. */
  proposed: number;
  /** The smallest quantity that is sold (spec B-224), and the smallest while the platform's trial runs (spec B-225). */
  minimum: number;
  trialMinimum: number;
  /** The largest quantity that is sold. One more is on request (spec B-304 to B-308). */
  maximum: number;
};

/** The price of a platform's plan for a period; null when it is not sold. */
export function priceOf(
  catalogue: Catalogue,
  { platform, plan, period }: { platform: string; plan: PaidPlan; period: Period },
): PriceView | null {
  const found = Object.hasOwn(catalogue, platform) ? catalogue[platform]?.[plan][period] : undefined;
  return found ? priceView(found) : null;
}

function priceView(price: WirePrice): PriceView {
  const { planCost, unitCost, defaultPlan, minimum, trialMinimum, stripeIds } = price;
  const brackets = (unitCost ?? planCost ?? []).map(({ from, to, cost }) => ({
    from,
    to,
    cents: centsOf(cost),
  }));
  return {
    id: stripeIds.priceId,
    isUnit: unitCost !== undefined,
    brackets,
    proposed: defaultPlan.to,
    minimum,
    trialMinimum,
    maximum: brackets.at(-1)?.to ?? 0,
  };
}

/** The bracket of a quantity; undefined above the largest one and for 0. */
export function bracketOf({ brackets }: PriceView, quantity: number) {
  return quantity < 1 ? undefined : brackets.find(({ to }) => quantity <= to);
}

/** The quantity that is bought: who pays for a bracket gets all of it. */
export function boughtQuantity(price: PriceView, quantity: number): number {
  return price.isUnit ? quantity : (bracketOf(price, quantity)?.to ?? quantity);
}

/** What a quantity costs for the price's period, in cents; null when it is not sold. */
export function costCents(price: PriceView, quantity: number): number | null {
  const bracket = bracketOf(price, quantity);
  if (!bracket) return null;
  if (!price.isUnit) return bracket.cents;
  return price.brackets.reduce(
    (sum, { from, to, cents }) => sum + Math.max(0, Math.min(quantity, to) - from + 1) * cents,
    0,
  );
}
