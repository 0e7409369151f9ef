import { expect, test } from "vitest";
import { costCents, findPrice } from "./catalogue.ts";
import { LOCAL_PLANS } from "./local-plans.ts";
import { TRIAL_MS } from "./plans.ts";

test("[B-142] only Essential is defined in the local table, with the product and both prices that are sold", () => {
  const { trial, ...plans } = LOCAL_PLANS;
  expect(Object.keys(plans)).toEqual(["essential"]);
  expect(Object.keys(trial)).toEqual(["name", "periodHours"]);
  const { productId, monthlyPriceId, yearlyPriceId } = plans.essential;
  for (const [id, period] of [
    [monthlyPriceId, "month"],
    [yearlyPriceId, "year"],
  ] as const) {
    const price = findPrice(id);
    expect(price).toMatchObject({ plan: "essential", period });
    expect(productId).toBe(`holdfast_${price?.platform}_${price?.plan}`);
  }
});

test("[B-031] its price is that of the second bracket", () => {
  const { price, monthlyPriceId } = LOCAL_PLANS.essential;
  for (const quantity of [11, 50]) expect(costCents(findPrice(monthlyPriceId)!, quantity)).toBe(price * 100);
});

test("[B-032] its trial has a period of 4 hours, and the trial still lasts fourteen days", () => {
  expect(LOCAL_PLANS.trial.periodHours).toBe(4);
  expect(TRIAL_MS).toBe(14 * 24 * 3_600_000);
});
