import { expect, test } from "vitest";
import type { Account, Preview } from "#app/money/billing-queries.ts";
import type { Catalogue } from "#app/money/catalogue-view.ts";
import { createInput } from "#workers/api/payment-answers.ts";
import { orderOf } from "./order.ts";

const price = (priceId: string, to: number) => ({
  ...{
    planCost: [{ from: 1, to, cost: 12, monthlyCost: 12 }],
    defaultPlan: { to: 10 },
    stripeIds: { priceId },
  },
});
const catalogue = {
  github: { essential: { month: price("github.essential.month", 10) }, pro_plan: {} },
  trello: { essential: { month: price("trello.essential.month", 10) }, pro_plan: {} },
} as unknown as Catalogue;
const company: Account["company"] = {
  name: "Meridian Freight GmbH",
  address: {
    ...{ country: "DE", state: "HH", city: "Hamburg", line1: "Kai 7", line2: null, postal_code: "20457" },
  },
  tax_details: [],
  reverse_charge: false,
};
const choice = (platform: string) => ({ platform, plan: "essential", period: "month", quantity: 7 }) as const;
const order = (more: Partial<Parameters<typeof orderOf>[1]> = {}) =>
  orderOf([choice("github"), choice("trello")], {
    ...{ catalogue, previews: new Map<string, Preview>(), coupon: null, company, paid: [], ...more },
  });

test("[B-144] an item has its price, quantity, way of paying and platform", () => {
  expect(order().items).toEqual([
    { platform: "github", priceId: "github.essential.month", quantity: 10, paymentMethodType: "card" },
    { platform: "trello", priceId: "trello.essential.month", quantity: 10, paymentMethodType: "card" },
  ]);
  expect(order({ paid: ["github"] }).items.map(({ platform }) => platform)).toEqual(["trello"]);
});

test("[B-145] the order carries the company, the items and, once it is applied, the coupon", () => {
  const whole = order({ coupon: { code: "SAVE", amountOff: null, percentOff: 20, platforms: null } });
  expect(whole).toMatchObject({
    company: {
      ...{ name: "Meridian Freight GmbH", country: "DE", state: "HH" },
      ...{ city: "Hamburg", line1: "Kai 7", postal_code: "20457" },
    },
    promotion_code: "SAVE",
    items: [{ platform: "github" }, { platform: "trello" }],
  });
  expect(order()).not.toHaveProperty("promotion_code");
  // The call takes it as it is.
  expect(createInput.parse(whole)).toEqual(whole);
});
