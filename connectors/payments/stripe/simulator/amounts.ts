import type { Price } from "./things/catalogue.ts";

/** A part of a price: how many units, and their amount in the smallest unit of the currency. */
export type Part = { quantity: number; amount: number; label: string };

/**
 * What a quantity costs. Volume pricing bills one tier for all units; graduated pricing bills each tier for its own
 * units, a line each (docs.stripe.com/products-prices/pricing-models).
 */
export function partsOf(price: Price, quantity: number): Part[] {
  const { tiers } = price.sim;
  if (price.billing_scheme === "per_unit") {
    return [{ quantity, amount: Math.round(Number(price.unit_amount_decimal ?? 0) * quantity), label: "" }];
  }
  if (price.tiers_mode === "volume") {
    const at = tiers.findIndex(({ up_to }) => up_to === null || quantity <= up_to);
    const tier = tiers[at];
    return [
      {
        quantity,
        amount: (tier?.flat_amount ?? 0) + (tier?.unit_amount ?? 0) * quantity,
        label: ` (Tier ${at + 1})`,
      },
    ];
  }
  let below = 0;
  const parts = tiers.flatMap((tier, at): Part[] => {
    const units = Math.min(quantity, tier.up_to ?? quantity) - below;
    below = tier.up_to ?? quantity;
    if (units <= 0 && at > 0) return [];
    const amount = (tier.flat_amount ?? 0) + (tier.unit_amount ?? 0) * Math.max(0, units);
    return [{ quantity: Math.max(0, units), amount, label: ` (Tier ${at + 1})` }];
  });
  return parts;
}
