import type Stripe from "stripe";
import { expect, test } from "vitest";
import { faultOf, START, stripeForTest } from "./test-world.ts";

const DAY = 86_400;
const HOUR = 3_600;
const at = (...parts: [number, number, number]) => Date.UTC(parts[0], parts[1], parts[2], 9) / 1000;

test("a renewal is a draft for an hour, then it is paid without its holder", async () => {
  const { stripe, control, customer, price, buy } = await stripeForTest();
  const { id } = await customer();
  const { id: bought } = await buy(id, (await price(2_000)).id);
  const end = at(2027, 1, 15);
  await control("clock", { at: end });
  const renewed = await stripe.subscriptions.retrieve(bought, { expand: ["latest_invoice"] });
  expect(renewed.items.data[0]).toMatchObject({
    current_period_start: end,
    current_period_end: at(2027, 2, 15),
  });
  expect(renewed).toMatchObject({
    status: "active",
    latest_invoice: {
      status: "draft",
      billing_reason: "subscription_cycle",
      automatically_finalizes_at: end + HOUR,
    },
  });
  await control("clock", { advance: HOUR });
  const paid = await stripe.subscriptions.retrieve(bought, { expand: ["latest_invoice"] });
  expect(paid).toMatchObject({ status: "active", latest_invoice: { status: "paid", amount_paid: 2_000 } });
  const upcoming = await stripe.events.list({ type: "invoice.upcoming" });
  expect(upcoming.data.map(({ created }) => created)).toEqual([end - 7 * DAY]);
});

test("a renewal waits up to three days for an endpoint that wants invoice.created and does not take it", async () => {
  const { stripe, control, customer, price, buy } = await stripeForTest();
  const { id } = await customer();
  await buy(id, (await price(2_000)).id);
  await stripe.webhookEndpoints.create({
    url: "http://127.0.0.1:9/hook",
    enabled_events: ["invoice.created"],
  });
  const end = at(2027, 1, 15);
  await control("clock", { at: end + 72 * HOUR - 1 });
  expect((await stripe.invoices.list({ customer: id })).data[0]?.status).toBe("draft");
  await control("clock", { advance: 1 });
  expect((await stripe.invoices.list({ customer: id })).data[0]?.status).toBe("paid");
});

test("a debt that is given up leaves the subscription active", async () => {
  const { stripe, control, customer, price, buy } = await stripeForTest();
  const { id } = await customer();
  const { id: bought } = await buy(id, (await price(2_000)).id);
  const bad = await stripe.paymentMethods.attach("pm_card_chargeCustomerFail", { customer: id });
  await stripe.customers.update(id, { invoice_settings: { default_payment_method: bad.id } });
  await control("clock", { at: at(2027, 1, 15) + HOUR });
  const due = await stripe.subscriptions.retrieve(bought);
  expect(due.status).toBe("past_due");
  await stripe.invoices.markUncollectible(String(due.latest_invoice));
  expect((await stripe.subscriptions.retrieve(bought)).status).toBe("active");
});

test("dunning retries eight times in two weeks, then the subscription is unpaid; a new card revives it", async () => {
  const { stripe, control, customer, price, buy } = await stripeForTest();
  const { id } = await customer();
  const { id: bought } = await buy(id, (await price(2_000)).id);
  const bad = await stripe.paymentMethods.attach("pm_card_chargeCustomerFail", { customer: id });
  await stripe.customers.update(id, { invoice_settings: { default_payment_method: bad.id } });
  const finalized = at(2027, 1, 15) + HOUR;
  await control("clock", { at: finalized });
  const due = await stripe.subscriptions.retrieve(bought, { expand: ["latest_invoice"] });
  expect(due).toMatchObject({
    status: "past_due",
    latest_invoice: { status: "open", attempt_count: 1, next_payment_attempt: finalized + DAY },
  });
  await control("clock", { at: finalized + 14 * DAY - 1 });
  expect((await stripe.subscriptions.retrieve(bought)).status).toBe("past_due");
  await control("clock", { advance: 1 });
  const unpaid = await stripe.subscriptions.retrieve(bought, { expand: ["latest_invoice"] });
  expect(unpaid).toMatchObject({
    status: "unpaid",
    latest_invoice: { status: "open", attempt_count: 9, next_payment_attempt: null },
  });
  const failures = await stripe.events.list({ type: "invoice.payment_failed", limit: 100 });
  expect(failures.data.map(({ created }) => (created - finalized) / DAY).reverse()).toEqual([
    0, 1, 2, 4, 6, 8, 10, 12, 14,
  ]);
  const good = await stripe.paymentMethods.attach("pm_card_visa", { customer: id });
  await stripe.customers.update(id, { invoice_settings: { default_payment_method: good.id } });
  expect((await stripe.subscriptions.retrieve(bought)).status).toBe("unpaid");
  const invoice = String((unpaid.latest_invoice as Stripe.Invoice).id);
  const paid = await stripe.invoices.pay(invoice, { payment_method: good.id });
  expect(paid.status).toBe("paid");
  expect((await stripe.subscriptions.retrieve(bought)).status).toBe("active");
});

test("a renewal with a card that always wants its holder is past due and waits for a challenge", async () => {
  const { stripe, control, customer, price, buy } = await stripeForTest();
  const { id } = await customer();
  const { id: bought } = await buy(id, (await price(2_000)).id);
  const card = await stripe.paymentMethods.attach("pm_card_authenticationRequired", { customer: id });
  await stripe.customers.update(id, { invoice_settings: { default_payment_method: card.id } });
  await control("clock", { at: at(2027, 1, 15) + HOUR });
  const due = await stripe.subscriptions.retrieve(bought, { expand: ["latest_invoice.confirmation_secret"] });
  expect(due.status).toBe("past_due");
  const types = (await stripe.events.list({ limit: 100 })).data.map(({ type }) => type);
  expect(types).toContain("invoice.payment_action_required");
  const invoice = due.latest_invoice as Stripe.Invoice;
  const fault = await faultOf(stripe.invoices.pay(String(invoice.id)));
  expect(fault).toMatchObject({ statusCode: 402, code: "invoice_payment_intent_requires_action" });
  const intent = String(invoice.confirmation_secret?.client_secret.split("_secret_")[0]);
  expect((await stripe.paymentIntents.retrieve(intent)).status).toBe("requires_action");
  await control("challenges", { intent });
  expect((await stripe.subscriptions.retrieve(bought)).status).toBe("active");
});

test("a subscription that is cancelled ends with its period, and the cancellation can be taken back", async () => {
  const { stripe, control, customer, price, buy } = await stripeForTest();
  const { id } = await customer();
  const { id: bought } = await buy(id, (await price(2_000)).id);
  const end = at(2027, 1, 15);
  const asked = await stripe.subscriptions.update(bought, { cancel_at_period_end: true });
  expect(asked).toMatchObject({
    status: "active",
    cancel_at_period_end: true,
    cancel_at: end,
    canceled_at: START,
  });
  expect(await faultOf(stripe.invoices.createPreview({ subscription: bought }))).toMatchObject({
    statusCode: 404,
    code: "invoice_upcoming_none",
  });
  const kept = await stripe.subscriptions.update(bought, { cancel_at_period_end: false });
  expect(kept).toMatchObject({ cancel_at_period_end: false, cancel_at: null, canceled_at: null });
  await control("cancel-in-portal", { subscription: bought });
  expect(await stripe.subscriptions.retrieve(bought)).toMatchObject({
    cancel_at_period_end: false,
    cancel_at: end,
  });
  expect((await stripe.subscriptions.update(bought, { cancel_at: "" })).cancel_at).toBeNull();
  await stripe.subscriptions.update(bought, { cancel_at_period_end: true });
  await control("clock", { at: end });
  expect(await stripe.subscriptions.retrieve(bought)).toMatchObject({ status: "canceled", ended_at: end });
  expect((await stripe.subscriptions.list({ customer: id })).data).toEqual([]);
  expect((await stripe.subscriptions.list({ customer: id, status: "all" })).data).toHaveLength(1);
  expect((await stripe.invoices.list({ customer: id })).data).toHaveLength(1);
});

test("the day of the month returns after a short month", async () => {
  const { stripe, control, customer, price, buy } = await stripeForTest();
  await control("clock", { at: at(2027, 0, 31) });
  const { id } = await customer();
  const { id: bought } = await buy(id, (await price(2_000)).id);
  const ends: number[] = [];
  for (const end of [at(2027, 1, 28), at(2027, 2, 31), at(2027, 3, 30)]) {
    ends.push((await stripe.subscriptions.retrieve(bought)).items.data[0]?.current_period_end ?? 0);
    await control("clock", { at: end });
  }
  expect(ends).toEqual([at(2027, 1, 28), at(2027, 2, 31), at(2027, 3, 30)]);
});

test("a test clock moves only its customers, and at most two intervals at once", async () => {
  const { stripe, price, buy } = await stripeForTest();
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: START });
  const customer = await stripe.customers.create({ test_clock: clock.id });
  const card = await stripe.paymentMethods.attach("pm_card_visa", { customer: customer.id });
  await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: card.id } });
  const { id: bought } = await buy(customer.id, (await price(2_000)).id);
  const fault = await faultOf(
    stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: at(2027, 4, 1) }),
  );
  expect(fault.statusCode).toBe(400);
  const moved = await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: at(2027, 2, 14) });
  expect(moved.status).toBe("advancing");
  expect(await stripe.testHelpers.testClocks.retrieve(clock.id)).toMatchObject({
    status: "ready",
    frozen_time: at(2027, 2, 14),
  });
  const invoices = await stripe.invoices.list({ subscription: bought });
  expect(invoices.data.map(({ status, created }) => [status, created])).toEqual([
    ["paid", at(2027, 1, 15)],
    ["paid", START],
  ]);
  expect((await stripe.customers.list()).data).toEqual([]);
});

test("an invoiced subscription is active at once, and past due after the invoice's date", async () => {
  const { stripe, control, customer, price } = await stripeForTest();
  const { id } = await customer(null);
  const made = await stripe.subscriptions.create({
    customer: id,
    items: [{ price: (await price(90_000, "year")).id }],
    collection_method: "send_invoice",
    days_until_due: 14,
    payment_settings: { payment_method_types: ["customer_balance"] },
  });
  expect(made.status).toBe("active");
  await control("clock", { advance: HOUR });
  const invoice = await stripe.invoices.retrieve(String(made.latest_invoice));
  expect(invoice).toMatchObject({ status: "open", due_date: START + HOUR + 14 * DAY });
  await control("clock", { advance: 14 * DAY });
  expect((await stripe.subscriptions.retrieve(made.id)).status).toBe("past_due");
  await stripe.invoices.pay(String(invoice.id), { paid_out_of_band: true });
  expect((await stripe.subscriptions.retrieve(made.id)).status).toBe("active");
});

test("a trial bills nothing until its end", async () => {
  const { stripe, control, customer, price, buy } = await stripeForTest();
  const { id } = await customer();
  const made = await buy(id, (await price(2_000)).id, { trial_period_days: 14 });
  expect(made).toMatchObject({ status: "trialing", trial_end: START + 14 * DAY });
  await control("clock", { at: START + 14 * DAY + HOUR });
  const paid = await stripe.subscriptions.retrieve(made.id, { expand: ["latest_invoice"] });
  expect(paid).toMatchObject({ status: "active", latest_invoice: { status: "paid", amount_paid: 2_000 } });
});
