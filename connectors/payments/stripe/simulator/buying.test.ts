import type Stripe from "stripe";
import { expect, test } from "vitest";
import { faultOf, intentOf, START, stripeForTest } from "./test-world.ts";

const latest = (subscription: Stripe.Subscription) => subscription.latest_invoice as Stripe.Invoice;

test("a purchase with 4242 pays nothing before the confirmation, and is active after it", async () => {
  const { stripe, customer, price, order } = await stripeForTest();
  const { id } = await customer("pm_card_visa");
  const made = await order(id, (await price(2_000)).id);
  expect(made.status).toBe("incomplete");
  expect(latest(made)).toMatchObject({
    status: "open",
    amount_due: 2_000,
    billing_reason: "subscription_create",
  });
  expect(latest(made).confirmation_secret?.client_secret).toMatch(/^pi_.+_secret_/);
  const method = (await stripe.paymentMethods.list({ customer: id })).data[0]?.id ?? "";
  const paid = await stripe.paymentIntents.confirm(intentOf(made.latest_invoice), { payment_method: method });
  expect(paid.status).toBe("succeeded");
  const active = await stripe.subscriptions.retrieve(made.id, { expand: ["latest_invoice.payments"] });
  expect(active.status).toBe("active");
  expect(latest(active)).toMatchObject({ status: "paid", amount_paid: 2_000, amount_remaining: 0 });
  expect(active.items.data[0]).toMatchObject({
    current_period_start: START,
    current_period_end: Date.UTC(2027, 1, 15, 9) / 1000,
  });
  expect(active).not.toHaveProperty("current_period_end");
  const charges = await stripe.charges.list({ customer: id });
  expect(charges.data).toMatchObject([{ amount: 2_000, paid: true, payment_intent: paid.id }]);
  expect(charges.data[0]).not.toHaveProperty("invoice");
  const types = (await stripe.events.list({ limit: 100 })).data.map(({ type }) => type).reverse();
  expect(types.slice(types.indexOf("customer.subscription.created"))).toEqual([
    "customer.subscription.created",
    "invoice.created",
    "payment_intent.created",
    "invoice.updated",
    "invoice.finalized",
    "charge.succeeded",
    "payment_intent.succeeded",
    "invoice_payment.paid",
    "invoice.updated",
    "invoice.paid",
    "invoice.payment_succeeded",
    "customer.subscription.updated",
  ]);
});

test("a card with 3-D Secure waits for its holder, whose refusal leaves the purchase open", async () => {
  const { stripe, control, customer, price, order } = await stripeForTest();
  const { id, invoice_settings } = await customer("pm_card_authenticationRequired");
  const method = String(invoice_settings.default_payment_method);
  const made = await order(id, (await price(2_000)).id);
  const intent = intentOf(made.latest_invoice);
  const waiting = await stripe.paymentIntents.confirm(intent, { payment_method: method });
  expect(waiting).toMatchObject({ status: "requires_action", next_action: { type: "use_stripe_sdk" } });
  await control("challenges", { intent, isPassed: false });
  expect(await stripe.paymentIntents.retrieve(intent)).toMatchObject({
    status: "requires_payment_method",
    last_payment_error: { code: "payment_intent_authentication_failure" },
  });
  expect((await stripe.subscriptions.retrieve(made.id)).status).toBe("incomplete");
  await stripe.paymentIntents.confirm(intent, { payment_method: method });
  await control("challenges", { intent });
  expect((await stripe.subscriptions.retrieve(made.id)).status).toBe("active");
});

test("a card that attaches and is declined answers 402 with the intent; another card pays the same invoice", async () => {
  const { stripe, customer, price, order } = await stripeForTest();
  const { id, invoice_settings } = await customer("pm_card_chargeCustomerFail");
  const made = await order(id, (await price(2_000)).id);
  const intent = intentOf(made.latest_invoice);
  const method = String(invoice_settings.default_payment_method);
  const fault = await faultOf(stripe.paymentIntents.confirm(intent, { payment_method: method }));
  expect(fault).toMatchObject({
    type: "StripeCardError",
    statusCode: 402,
    code: "card_declined",
    decline_code: "generic_decline",
    payment_intent: { id: intent, status: "requires_payment_method" },
  });
  expect((await stripe.charges.list({ customer: id })).data).toMatchObject([
    { paid: false, status: "failed" },
  ]);
  const other = await stripe.paymentMethods.attach("pm_card_mastercard", { customer: id });
  await stripe.paymentIntents.confirm(intent, { payment_method: other.id });
  expect((await stripe.subscriptions.retrieve(made.id)).status).toBe("active");
});

test.each([
  ["pm_card_chargeDeclined", "card_declined", "generic_decline"],
  ["pm_card_chargeDeclinedInsufficientFunds", "card_declined", "insufficient_funds"],
  ["pm_card_chargeDeclinedExpiredCard", "expired_card", ""],
])("%s is refused when it is attached", async (card, code, decline) => {
  const { stripe, customer } = await stripeForTest();
  const { id } = await customer(null);
  const fault = await faultOf(stripe.paymentMethods.attach(card, { customer: id }));
  expect([fault.statusCode, fault.code, fault.decline_code]).toEqual([402, code, decline]);
});

test("4000008260003178 is declined after its challenge", async () => {
  const { stripe, control, customer, price, order } = await stripeForTest();
  const card = "pm_card_authenticationRequiredChargeDeclinedInsufficientFunds";
  const { id, invoice_settings } = await customer(card);
  const made = await order(id, (await price(2_000)).id);
  const intent = intentOf(made.latest_invoice);
  await stripe.paymentIntents.confirm(intent, {
    payment_method: String(invoice_settings.default_payment_method),
  });
  await control("challenges", { intent });
  expect((await stripe.paymentIntents.retrieve(intent)).last_payment_error?.decline_code).toBe(
    "insufficient_funds",
  );
});

test("a card with 3-D Secure until it is set up pays without its holder after the setup", async () => {
  const { stripe, control, customer, price, buy } = await stripeForTest();
  const { id } = await customer("pm_card_visa");
  const method = await stripe.paymentMethods.attach("pm_card_authenticationRequiredOnSetup", {
    customer: id,
  });
  const setup = await stripe.setupIntents.create({
    customer: id,
    usage: "off_session",
    allowed_payment_method_types: ["card"],
  });
  const asked = await stripe.setupIntents.confirm(setup.id, { payment_method: method.id });
  expect(asked.status).toBe("requires_action");
  await control("challenges", { intent: setup.client_secret });
  expect((await stripe.setupIntents.retrieve(setup.id)).status).toBe("succeeded");
  await stripe.customers.update(id, { invoice_settings: { default_payment_method: method.id } });
  expect((await buy(id, (await price(900)).id, { off_session: true })).status).toBe("active");
});

test("an unpaid purchase expires after 23 hours and its invoice is void", async () => {
  const { stripe, control, customer, price, order } = await stripeForTest();
  const { id } = await customer();
  const made = await order(id, (await price(2_000)).id);
  await control("clock", { advance: 23 * 3_600 - 1 });
  expect((await stripe.subscriptions.retrieve(made.id)).status).toBe("incomplete");
  await control("clock", { advance: 1 });
  const expired = await stripe.subscriptions.retrieve(made.id, { expand: ["latest_invoice"] });
  expect(expired.status).toBe("incomplete_expired");
  expect(latest(expired).status).toBe("void");
});

test("a voided first invoice ends the purchase", async () => {
  const { stripe, customer, price, order } = await stripeForTest();
  const { id } = await customer();
  const made = await order(id, (await price(2_000)).id);
  await stripe.invoices.voidInvoice(latest(made).id ?? "");
  expect((await stripe.subscriptions.retrieve(made.id)).status).toBe("incomplete_expired");
  expect((await stripe.paymentIntents.retrieve(intentOf(made.latest_invoice))).status).toBe("canceled");
});

test("a total of nothing has no payment intent, is active, and asks for a card on its own", async () => {
  const { stripe, customer, price, order } = await stripeForTest();
  const { id } = await customer(null);
  await stripe.coupons.create({ id: "FREE", percent_off: 100, duration: "forever" });
  const code = await stripe.promotionCodes.create({
    code: "GIFT",
    promotion: { type: "coupon", coupon: "FREE" },
  });
  const made = await order(id, (await price(2_000)).id, { discounts: [{ promotion_code: code.id }] });
  expect(made.status).toBe("active");
  expect(latest(made)).toMatchObject({ status: "paid", amount_due: 0, total: 0, confirmation_secret: null });
  expect(latest(made).payments?.data).toEqual([]);
  expect(made.pending_setup_intent).toMatchObject({
    object: "setup_intent",
    status: "requires_payment_method",
  });
  const method = await stripe.paymentMethods.attach("pm_card_visa", { customer: id });
  const setup = made.pending_setup_intent as Stripe.SetupIntent;
  await stripe.setupIntents.confirm(setup.id, { payment_method: method.id });
  expect((await stripe.subscriptions.retrieve(made.id)).pending_setup_intent).toBeNull();
});
