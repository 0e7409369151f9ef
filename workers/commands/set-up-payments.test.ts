import { expect, test } from "vitest";
import { stripeForTest } from "#connectors/payments/stripe/simulator/test-world.ts";
import { PRICES } from "#core/billing/index.ts";
import { setUpPayments } from "./set-up-payments.ts";

test("prices and the portal are set up once, and nothing without a key", async () => {
  const { stripe, url, world } = await stripeForTest();
  const vars = { STRIPE_API_URL: url, STRIPE_SECRET_KEY: world.settings.secretKey };
  expect(await setUpPayments({ STRIPE_API_URL: url })).toBeNull();
  expect((await stripe.prices.list()).data).toEqual([]);
  expect(await setUpPayments(vars)).toHaveLength(PRICES.length);
  expect(await setUpPayments(vars)).toEqual([]);
  const { data } = await stripe.billingPortal.configurations.list();
  expect(data).toMatchObject([{ active: true, features: { subscription_cancel: { enabled: false } } }]);
});
