import { expect, test } from "vitest";
import { findPrice, PRICES, costCents as soldFor } from "#core/billing/catalogue.ts";
import { demoCatalogue } from "#tests/harness/catalogue-fixtures.ts";
import { boughtQuantity, costCents, priceOf } from "./catalogue-view.ts";

const catalogue = demoCatalogue();

test("the screens compute every price as the catalogue does", () => {
  for (const price of PRICES) {
    const plan = price.plan === "pro" ? "pro_plan" : "essential";
    const view = priceOf(catalogue, { platform: price.platform, plan, period: price.period });
    expect(view?.id).toBe(price.key);
    for (const { from, to } of price.brackets) {
      for (const quantity of [from, Math.floor((from + to) / 2), to])
        expect([price.key, quantity, view && costCents(view, quantity)]).toEqual([
          price.key,
          quantity,
          soldFor(price, quantity),
        ]);
    }
  }
});

test("nothing is sold above the top, for 0, for another platform, and for a year where only months are sold", () => {
  const github = priceOf(catalogue, { platform: "github", plan: "essential", period: "month" })!;
  expect([costCents(github, 0), costCents(github, 1000), costCents(github, 1001)]).toEqual([
    null,
    25_000,
    null,
  ]);
  expect(priceOf(catalogue, { platform: "jira", plan: "essential", period: "year" })).toBeNull();
  expect(priceOf(catalogue, { platform: "constructor", plan: "essential", period: "month" })).toBeNull();
});

test("a whole bracket is bought, but units are bought one by one", () => {
  const github = priceOf(catalogue, { platform: "github", plan: "essential", period: "month" })!;
  const jira = priceOf(catalogue, { platform: "jira", plan: "essential", period: "month" })!;
  expect([boughtQuantity(github, 11), boughtQuantity(github, 50), boughtQuantity(jira, 148)]).toEqual([
    50, 50, 148,
  ]);
  expect(findPrice(jira.id)?.platform).toBe("jira");
});
