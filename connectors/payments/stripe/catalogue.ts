import type Stripe from "stripe";
import { z } from "zod";
import type { StripeDeps } from "./client.ts";
import { asking, read, unless } from "./failures.ts";
import { priceForm } from "./forms.ts";

/** A price to publish. Brackets are ordered; the last one has no end at the provider, so our own cap is the limit. */
export type PublishedPrice = {
  key: string;
  platform: string;
  plan: string;
  period: "month" | "year";
  kind: "flat" | "unit";
  brackets: readonly { to: number; cents: number }[];
};

const PRODUCT = /^holdfast_([a-z0-9-]+)_[a-z]+$/;
const productId = ({ platform, plan }: PublishedPrice) => `holdfast_${platform}_${plan}`;

/** The platform that one of our products belongs to; null for a product that is not ours. */
export function platformOfProduct(id: string): string | null {
  return PRODUCT.exec(id)?.[1] ?? null;
}

/**
 * Creates the products and prices that are missing. A price is never edited: one that differs is replaced by a new price
 * that takes over its lookup key, and existing subscribers keep the old one
 * (docs.stripe.com/products-prices/manage-prices). Running it again changes nothing.
 *
 * @returns The keys of the prices that were created
 */
export async function publishCatalogue(
  { stripe }: Pick<StripeDeps, "stripe">,
  prices: readonly PublishedPrice[],
): Promise<string[]> {
  for (const id of new Set(prices.map(productId))) {
    const isThere = await unless(["resource_missing"], () => stripe.products.retrieve(id));
    if (isThere === null) {
      const price = prices.find((each) => productId(each) === id)!;
      await asking(() =>
        stripe.products.create(
          { id, name: nameOf(price), metadata: { platform: price.platform, plan: price.plan } },
          { idempotencyKey: `product:${id}` },
        ),
      );
    }
  }
  const created: string[] = [];
  for (const price of prices) {
    const answer = await asking(() =>
      stripe.prices.list({ lookup_keys: [price.key], limit: 1, expand: ["data.tiers"] }),
    );
    const [present] = read(z.looseObject({ data: z.array(presentForm) }), answer).data;
    if (present && isDeepEqual(present.tiers ?? [], tiersOf(price)) && present.active) continue;
    const order: Stripe.PriceCreateParams = {
      product: productId(price),
      currency: "usd",
      billing_scheme: "tiered",
      tiers_mode: price.kind === "flat" ? "volume" : "graduated",
      tiers: tiersOf(price).map(({ up_to, flat_amount, unit_amount }) => ({
        up_to: up_to ?? "inf",
        ...(flat_amount === null ? {} : { flat_amount }),
        ...(unit_amount === null ? {} : { unit_amount }),
      })),
      recurring: { interval: price.period, usage_type: "licensed" },
      tax_behavior: "exclusive",
      lookup_key: price.key,
      transfer_lookup_key: true,
      metadata: { catalogue_key: price.key },
    };
    const mark = present ? present.id : "first";
    await asking(() => stripe.prices.create(order, { idempotencyKey: `price:${price.key}:${mark}` }));
    created.push(price.key);
  }
  return created;
}

type Tier = { up_to: number | null; flat_amount: number | null; unit_amount: number | null };

const presentForm = z.intersection(
  priceForm,
  z.looseObject({
    active: z.boolean(),
    tiers: z
      .array(
        z.looseObject({
          up_to: z.int().nullish(),
          flat_amount: z.int().nullish(),
          unit_amount: z.int().nullish(),
        }),
      )
      .nullish()
      .transform((tiers) =>
        tiers?.map(
          ({ up_to, flat_amount, unit_amount }): Tier => ({
            up_to: up_to ?? null,
            flat_amount: flat_amount ?? null,
            unit_amount: unit_amount ?? null,
          }),
        ),
      ),
  }),
);

function tiersOf({ kind, brackets }: PublishedPrice): Tier[] {
  return brackets.map(({ to, cents }, index) => ({
    up_to: index === brackets.length - 1 ? null : to,
    flat_amount: kind === "flat" ? cents : null,
    unit_amount: kind === "unit" ? cents : null,
  }));
}

function isDeepEqual(a: readonly Tier[], b: readonly Tier[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function nameOf({ platform, plan }: PublishedPrice): string {
  const title = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
  return `Holdfast ${title(plan)} for ${title(platform)}`;
}
