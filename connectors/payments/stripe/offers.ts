import { z } from "zod";
import type { PaymentProvider } from "#connectors/contract/payment-provider.ts";
import { platformOfProduct } from "./catalogue.ts";
import type { StripeDeps } from "./client.ts";
import { asking, read } from "./failures.ts";
import { priceForm, promotionForm, taxRateForm } from "./forms.ts";

type Offers = Pick<PaymentProvider, "findPrices" | "taxRate" | "findPromotion">;

/** Prices, tax rates and promotion codes. */
export function offersOf({ stripe, clock }: StripeDeps): Offers {
  return {
    findPrices: async (keys) => {
      if (keys.length === 0) return new Map();
      const answer = await asking(() =>
        stripe.prices.list({ lookup_keys: [...keys], active: true, limit: 100 }),
      );
      const { data } = read(z.looseObject({ data: z.array(priceForm) }), answer);
      return new Map(data.flatMap(({ id, key }) => (key === null ? [] : [[key, id]])));
    },
    taxRate: async ({ country, basisPoints, label }) => {
      const percentage = basisPoints / 100;
      const answer = await asking(() => stripe.taxRates.list({ active: true, limit: 100 }));
      const { data } = read(z.looseObject({ data: z.array(taxRateForm) }), answer);
      // A rate's percentage never changes (docs.stripe.com/billing/taxes/tax-rates), so the first that fits is the one.
      const found = data.find(
        (each) =>
          each.metadata.holdfast_country === country && each.percentage === percentage && !each.inclusive,
      );
      if (found) return found.id;
      const created = await asking(() =>
        stripe.taxRates.create(
          {
            display_name: label,
            percentage,
            inclusive: false,
            country,
            metadata: { holdfast_country: country },
          },
          { idempotencyKey: `tax-rate:${country}:${basisPoints}` },
        ),
      );
      return read(taxRateForm, created).id;
    },
    findPromotion: async (code) => {
      const answer = await asking(() =>
        stripe.promotionCodes.list({
          code,
          active: true,
          limit: 1,
          expand: ["data.promotion.coupon.applies_to"],
        }),
      );
      const found = read(z.looseObject({ data: z.array(promotionForm) }), answer).data[0];
      if (!found) return null;
      const { coupon } = found.promotion;
      const now = clock.now();
      const isUsedUp = found.max_redemptions != null && found.times_redeemed >= found.max_redemptions;
      const isOver =
        (found.expires_at !== null && found.expires_at <= now) ||
        (coupon.redeem_by !== null && coupon.redeem_by <= now);
      if (!found.active || !coupon.valid || isUsedUp || isOver) return null;
      return {
        id: found.id,
        code: found.code,
        amountOffCents: coupon.amount_off ?? null,
        percentOff: coupon.percent_off ?? null,
        currency: coupon.currency,
        customerId: found.customer,
        isFirstTimeOnly: found.restrictions?.first_time_transaction ?? false,
        minimumCents: found.restrictions?.minimum_amount ?? null,
        platforms: coupon.applies_to?.products.length
          ? coupon.applies_to.products.flatMap((id) => platformOfProduct(id) ?? [])
          : null,
      };
    },
  };
}
