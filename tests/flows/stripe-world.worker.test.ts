import { afterAll, beforeAll, expect, test } from "vitest";
import { type OutsideStripe, openStripe } from "#tests/harness/outside.ts";

let stripe: OutsideStripe;

beforeAll(async () => {
  stripe = await openStripe();
});
afterAll(() => stripe.close());

test("a simulated Stripe answers in workerd, keeps events until they are taken, and has its own clock", async () => {
  const customer = await stripe.api<{ id: string }>("POST", "customers", { email: "nora@meridian.example" });
  const card = await stripe.card("4242424242424242");
  await stripe.api("POST", `payment_methods/${card}/attach`, { customer: customer.id });
  const events = await stripe.takeEvents();
  expect(events.map(({ type }) => type)).toEqual(["payment_method.attached"]);
  expect(events[0]?.signature).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
  expect(await stripe.takeEvents()).toEqual([]);
  await stripe.setClock(1_900_000_000);
  expect(await stripe.control("clock")).toEqual({ now: 1_900_000_000, isStopped: true });
  expect(await stripe.refusals()).toEqual([]);
});
