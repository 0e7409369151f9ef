import type { Account, Preview } from "#app/money/billing-queries.ts";
import { boughtQuantity, type Catalogue } from "#app/money/catalogue-view.ts";
import type { AppliedCoupon } from "./checkout-memory.ts";
import { type Choice, priceOfChoice } from "./choice.ts";
import type { Order } from "./purchase.ts";

/** What is ordered: the company, an item for each app with the price that was shown, and the coupon. */
export function orderOf(
  choices: readonly Choice[],
  {
    catalogue,
    previews,
    coupon,
    company,
    paid,
  }: {
    catalogue: Catalogue;
    previews: ReadonlyMap<string, Preview>;
    coupon: AppliedCoupon | null;
    company: Account["company"];
    /** Apps of this purchase that are paid already. */
    paid: readonly string[];
  },
): Order {
  const items = choices.flatMap((choice): Order["items"] => {
    const price = priceOfChoice(catalogue, choice);
    if (!price || paid.includes(choice.platform)) return [];
    const quote = previews.get(choice.platform)?.quote;
    return [
      {
        platform: choice.platform,
        priceId: price.id,
        quantity: boughtQuantity(price, choice.quantity),
        paymentMethodType: "card",
        ...(quote === undefined ? {} : { quote }),
      },
    ];
  });
  const payload = companyOf(company);
  return {
    ...(payload ? { company: payload } : {}),
    items,
    ...(coupon ? { promotion_code: coupon.code } : {}),
  };
}

/** The saved company as the call takes it: without empty values (spec B-207). */
function companyOf(company: Account["company"]): Order["company"] | null {
  const { name, address, tax_details } = company ?? {};
  if (!name || !address?.country || !address.city || !address.line1 || !address.postal_code) return null;
  const { country, state, city, line1, line2, postal_code } = address;
  const tax = tax_details?.at(-1);
  return {
    ...{ name, country, city, line1, postal_code },
    ...(state ? { state } : {}),
    ...(line2 ? { line2 } : {}),
    ...(tax ? { tax_details: { type: tax.type, value: tax.value } } : {}),
  };
}

/** Step 3 opens when the address is complete. */
export const isCompanyComplete = (company: Account["company"]) => companyOf(company) !== null;
