import type Stripe from "stripe";
import { expect, test } from "vitest";
import { faultOf, stripeForTest } from "./test-world.ts";

/** Parameters that the SDK's types do not have. */
const odd = (params: object) => params as never;

test("unknown and removed parameters are refused by their names, and noted", async () => {
  const { stripe, log, customer, price, buy } = await stripeForTest();
  const { id } = await customer();
  const bought = await buy(id, (await price(900)).id);
  const item = bought.items.data[0]?.id;
  const calls: [Promise<unknown>, string][] = [
    [stripe.customers.create(odd({ emial: "x" })), "emial"],
    [stripe.setupIntents.create(odd({ payment_method_types: ["card"] })), "payment_method_types"],
    [stripe.subscriptions.update(bought.id, odd({ items: [{ id: item, prise: "x" }] })), "items[0][prise]"],
    [stripe.subscriptions.update(bought.id, odd({ coupon: "x" })), "coupon"],
    [
      stripe.promotionCodes.create(odd({ promotion: { type: "coupon", coupon: "x" }, coupon: "x" })),
      "coupon",
    ],
  ];
  for (const [call, param] of calls) {
    const fault = await faultOf(call);
    expect([fault.statusCode, fault.code, fault.param]).toEqual([400, "parameter_unknown", param]);
  }
  const text = await faultOf(stripe.subscriptions.update(bought.id, odd({ billing_cycle_anchor: "now" })));
  expect([text.statusCode, text.type]).toEqual([400, "StripeInvalidRequestError"]);
  expect(log.refusals()).toHaveLength(6);
});

test("missing parameters, foreign ids, wrong keys and unknown paths are refused as Stripe does", async () => {
  const { stripe, clientWith, world, url, customer, price } = await stripeForTest();
  expect(await faultOf(stripe.subscriptions.create(odd({ items: [{ price: "x" }] })))).toMatchObject({
    code: "parameter_missing",
    param: "customer",
  });
  expect(await faultOf(stripe.customers.retrieve("cus_none"))).toMatchObject({
    statusCode: 404,
    code: "resource_missing",
  });
  expect(await faultOf(clientWith("sk_test_wrong").customers.list())).toMatchObject({ statusCode: 401 });
  expect(await faultOf(clientWith(world.settings.publishableKey).customers.list())).toMatchObject({
    statusCode: 401,
  });
  const old = { Authorization: `Bearer ${world.settings.secretKey}`, "Stripe-Version": "2023-08-16" };
  expect((await fetch(`${url}/v1/customers`, { headers: old })).status).toBe(400);
  const unknown = await fetch(`${url}/v1/subscribers`, {
    headers: { Authorization: `Bearer ${world.settings.secretKey}` },
  });
  expect(unknown.status).toBe(404);
  const one = await customer();
  const other = await customer(null);
  const card = String(one.invoice_settings.default_payment_method);
  const fault = await faultOf(
    stripe.customers.update(other.id, { invoice_settings: { default_payment_method: card } }),
  );
  expect(fault.code).toBe("resource_missing");
  expect((await faultOf(stripe.paymentMethods.attach(card, { customer: other.id }))).statusCode).toBe(400);
  const inactive = await price(100);
  await stripe.prices.update(inactive.id, { active: false });
  expect(
    (await faultOf(stripe.subscriptions.create({ customer: one.id, items: [{ price: inactive.id }] })))
      .statusCode,
  ).toBe(400);
});

test("only what can be expanded is, up to four levels", async () => {
  const { stripe, customer, price, buy } = await stripeForTest();
  const { id } = await customer();
  await buy(id, (await price(900)).id);
  const listed = await stripe.subscriptions.list({
    customer: id,
    status: "all",
    expand: ["data.latest_invoice.payments"],
  });
  expect(listed.data[0]?.latest_invoice).toMatchObject({
    object: "invoice",
    payments: { data: [{ status: "paid" }] },
  });
  for (const path of ["data.nonsense", "data.latest_invoice.payments.data.payment.payment_intent"]) {
    expect(
      (await faultOf(stripe.subscriptions.list({ customer: id, expand: [path] }))).statusCode,
      path,
    ).toBe(400);
  }
});

test("a key answers its first result again, a failure as well, and refuses other parameters", async () => {
  const { stripe, control, customer, price, order } = await stripeForTest();
  const { id } = await customer("pm_card_chargeCustomerFail");
  const first = await stripe.customers.create({ name: "A" }, { idempotencyKey: "one" });
  const second = await stripe.customers.create({ name: "A" }, { idempotencyKey: "one" });
  expect(second.id).toBe(first.id);
  expect(second.lastResponse.headers["idempotent-replayed"]).toBe("true");
  const fault = await faultOf(stripe.customers.create({ name: "B" }, { idempotencyKey: "one" }));
  expect([fault.statusCode, fault.type]).toEqual([400, "StripeIdempotencyError"]);
  const made = await order(id, (await price(900)).id);
  const intent = String(
    (made.latest_invoice as Stripe.Invoice).confirmation_secret?.client_secret.split("_secret_")[0],
  );
  const card = (await stripe.paymentMethods.list({ customer: id })).data[0]?.id ?? "";
  const confirm = () =>
    stripe.paymentIntents.confirm(intent, { payment_method: card }, { idempotencyKey: "two" });
  expect((await faultOf(confirm())).statusCode).toBe(402);
  expect((await faultOf(confirm())).statusCode).toBe(402);
  expect((await stripe.charges.list({ customer: id })).data).toHaveLength(1);
  await control("failures", { path: "/v1/customers$", when: "after" });
  expect(
    (await faultOf(stripe.customers.create({ name: "C" }, { idempotencyKey: "three" }))).statusCode,
  ).toBe(500);
  expect(
    (await faultOf(stripe.customers.create({ name: "C" }, { idempotencyKey: "three" }))).statusCode,
  ).toBe(500);
  expect((await stripe.customers.list()).data.filter(({ name }) => name === "C")).toHaveLength(1);
  await control("clock", { advance: 86_400 });
  expect((await stripe.customers.create({ name: "A" }, { idempotencyKey: "one" })).id).not.toBe(first.id);
});

test("a call whose answer is lost took effect, and its key tells the answer", async () => {
  const { stripe, faults } = await stripeForTest();
  faults.add({
    match: { method: "POST", path: "/v1/customers$" },
    times: 2,
    action: { kind: "drop", handled: true },
  });
  const create = () =>
    stripe.customers.create({ name: "A" }, { idempotencyKey: "lost", maxNetworkRetries: 0 });
  expect((await faultOf(create())).type).toBe("StripeConnectionError");
  await create();
  expect((await stripe.customers.list()).data).toHaveLength(1);
});

test("lists have pages, the newest first", async () => {
  const { stripe } = await stripeForTest();
  for (const name of ["a", "b", "c", "d", "e"]) await stripe.customers.create({ name });
  const names: (string | null | undefined)[] = [];
  for await (const { name } of stripe.customers.list({ limit: 2 })) names.push(name);
  expect(names).toEqual(["e", "d", "c", "b", "a"]);
});

test("a server key cannot send card numbers, and a browser's key confirms only with the secret", async () => {
  const { stripe, clientWith, world, customer, price, order } = await stripeForTest();
  const card = { number: "4242424242424242", exp_month: 12, exp_year: 2039, cvc: "123" };
  expect((await faultOf(stripe.paymentMethods.create({ type: "card", card }))).statusCode).toBe(402);
  const browser = clientWith(world.settings.publishableKey);
  const method = await browser.paymentMethods.create({ type: "card", card });
  expect(method.card).toMatchObject({ brand: "visa", last4: "4242" });
  const { id } = await customer(null);
  const made = await order(id, (await price(900)).id);
  const secret = String((made.latest_invoice as Stripe.Invoice).confirmation_secret?.client_secret);
  const intent = secret.split("_secret_")[0] ?? "";
  const confirm = (more: object) =>
    browser.paymentIntents.confirm(intent, odd({ payment_method: method.id, ...more }));
  expect((await faultOf(confirm({}))).statusCode).toBe(400);
  expect((await faultOf(confirm({ client_secret: `${intent}_secret_x` }))).statusCode).toBe(400);
  expect((await confirm({ client_secret: secret })).status).toBe("succeeded");
  expect(JSON.stringify(world.state)).not.toContain("4242424242424242");
});
