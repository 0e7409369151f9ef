import { expect, test } from "vitest";
import {
  PaymentError,
  type PaymentProvider,
  type SubscribeOrder,
} from "#connectors/contract/payment-provider.ts";
import { stripeForTest } from "#connectors/payments/stripe/simulator/test-world.ts";
import { PRICES } from "#core/billing/index.ts";
import { publishCatalogue } from "./catalogue.ts";
import { openStripe } from "./client.ts";
import { createStripe } from "./index.ts";
import { ensurePortal } from "./portal.ts";

const ORGANISATION = "org_00000000000000000000000001";

async function openShop() {
  const simulated = await stripeForTest();
  const { settings } = simulated.world;
  const own = {
    STRIPE_API_URL: simulated.url,
    STRIPE_SECRET_KEY: settings.secretKey,
    STRIPE_WEBHOOK_SECRET: settings.webhookSecret,
  };
  const nowOf = async () => (await simulated.control<{ now: number }>("clock")).now * 1000;
  const clock = { at: await nowOf(), now: () => clock.at };
  const deps = { clock, fetch: globalThis.fetch };
  const catalogue = openStripe(own, deps);
  await publishCatalogue(catalogue, PRICES);
  const payments = createStripe(own, deps);
  const customerId = await payments.createCustomer(
    { organisationId: ORGANISATION, name: "Nora", email: "nora@meridian.example" },
    "customer",
  );
  const card = async (name: string) => {
    const { id } = await simulated.stripe.paymentMethods.create({ type: "card", card: { token: name } });
    return id;
  };
  const order = async (key: string, quantity: number): Promise<SubscribeOrder> => ({
    customerId,
    priceId: (await payments.findPrices([key])).get(key)!,
    quantity,
    taxRates: [],
    promotionId: null,
    organisationId: ORGANISATION,
    platform: key.split(".")[0]!,
    commandId: "cmd_1",
  });
  return { ...simulated, payments, catalogue, customerId, clock, own, card, order };
}

async function buyWith(
  shop: Awaited<ReturnType<typeof openShop>>,
  token: string,
  key = "github.essential.month",
) {
  const { payments, customerId } = shop;
  const cardId = await shop.card(token);
  await payments.attachCard(customerId, cardId, `card:${token}`);
  const purchase = await payments.subscribe(
    { ...(await shop.order(key, 10)), customerId },
    `buy:${key}:${customerId}`,
  );
  const payment = await payments.confirmPayment(purchase.intentId!, cardId, `confirm:${key}:${customerId}`);
  return { purchase, payment, cardId };
}

const listed = async (payments: PaymentProvider, customerId: string) =>
  (await payments.listSubscriptions(customerId)).subscriptions;

test("the catalogue is published once, and a price that changed is replaced under its key", async () => {
  const { catalogue, payments } = await openShop();
  expect(await publishCatalogue(catalogue, PRICES)).toEqual([]);
  const key = "trello.pro.year";
  const before = (await payments.findPrices([key])).get(key);
  const dearer = PRICES.filter((price) => price.key === key).map((price) => ({
    ...price,
    brackets: price.brackets.map((bracket) => ({ ...bracket, cents: bracket.cents + 1 })),
  }));
  expect(await publishCatalogue(catalogue, dearer)).toEqual([key]);
  expect((await payments.findPrices([key])).get(key)).not.toBe(before);
});

test("[B-142] only Essential has prices of its own; each is a product with a monthly and a yearly price at the provider", async () => {
  const { catalogue, payments } = await openShop();
  // Pro follows from Essential: nothing but the factor is written down for it.
  for (const { key, brackets } of PRICES.filter(({ plan }) => plan === "pro")) {
    const essential = PRICES.find((price) => price.key === key.replace(".pro.", ".essential."));
    expect(brackets).toEqual(essential?.brackets.map((each) => ({ ...each, cents: 2 * each.cents })));
  }
  for (const platform of ["github", "gitlab", "trello", "notion"]) {
    const product = await catalogue.stripe.products.retrieve(`holdfast_${platform}_essential`);
    const keys = [`${platform}.essential.month`, `${platform}.essential.year`];
    const ids = await payments.findPrices(keys);
    const found = await Promise.all(keys.map((key) => catalogue.stripe.prices.retrieve(ids.get(key)!)));
    expect(found.map(({ product: of, recurring }) => [of, recurring?.interval])).toEqual([
      [product.id, "month"],
      [product.id, "year"],
    ]);
  }
});

test("a purchase is charged, and is read back with its price, quantity and period", async () => {
  const shop = await openShop();
  const { purchase, payment } = await buyWith(shop, "tok_visa");
  expect(purchase).toMatchObject({ state: "incomplete", isInvoiceOpen: true, isChangePending: false });
  expect(payment.state).toBe("succeeded");
  expect(await listed(shop.payments, shop.customerId)).toMatchObject([
    {
      id: purchase.subscriptionId,
      commandId: "cmd_1",
      priceKey: "github.essential.month",
      quantity: 10,
      paidQuantity: 10,
      state: "active",
      cancelAt: null,
      isInvoiced: false,
      latestInvoice: { state: "paid" },
    },
  ]);
  expect(await shop.payments.recurringCents(shop.customerId, purchase.subscriptionId)).toBe(1_200);
  const [invoice] = await shop.payments.listInvoices(shop.customerId, 10);
  const [charge] = await shop.payments.listCharges(shop.customerId, 10);
  expect(invoice).toMatchObject({
    state: "paid",
    totalCents: 1_200,
    subscriptionId: purchase.subscriptionId,
  });
  expect(invoice?.intentIds).toEqual([charge?.intentId]);
  expect(charge).toMatchObject({ isPaid: true, capturedCents: 1_200, last4: "4242" });
});

test("a price that rises is for new customers only: who pays the old one keeps it, and is still understood", async () => {
  const shop = await openShop();
  const key = "github.essential.month";
  const { purchase } = await buyWith(shop, "tok_visa");
  const dearer = PRICES.filter((price) => price.key === key).map((price) => ({
    ...price,
    brackets: price.brackets.map((bracket) => ({ ...bracket, cents: bracket.cents * 2 })),
  }));
  await publishCatalogue(shop.catalogue, dearer);
  expect(await listed(shop.payments, shop.customerId)).toMatchObject([{ priceKey: key, quantity: 10 }]);
  expect(await shop.payments.recurringCents(shop.customerId, purchase.subscriptionId)).toBe(1_200);
  const order = { organisationId: ORGANISATION, name: "Bo", email: "bo@meridian.example" };
  const customerId = await shop.payments.createCustomer(order, "second");
  const later = await buyWith({ ...shop, customerId }, "tok_mastercard");
  expect(await shop.payments.recurringCents(customerId, later.purchase.subscriptionId)).toBe(2_400);
});

test("the same key and order are the same subscription", async () => {
  const shop = await openShop();
  const order = await shop.order("github.essential.month", 10);
  const first = await shop.payments.subscribe(order, "same");
  expect((await shop.payments.subscribe(order, "same")).subscriptionId).toBe(first.subscriptionId);
  const other = shop.payments.subscribe({ ...order, quantity: 50 }, "same");
  await expect(other).rejects.toMatchObject({ kind: "conflict" });
});

test("a declined card says why and leaves a secret, and another card pays", async () => {
  const shop = await openShop();
  const { purchase, payment } = await buyWith(shop, "tok_chargeCustomerFail");
  expect(payment).toMatchObject({ state: "requires_payment_method" });
  expect(payment.message).toMatch(/declined/);
  expect(payment.clientSecret).toMatch(/_secret_/);
  const good = await shop.card("tok_visa");
  await shop.payments.attachCard(shop.customerId, good, "card:good");
  const again = await shop.payments.confirmPayment(purchase.intentId!, good, "confirm:good");
  expect(again.state).toBe("succeeded");
  expect((await shop.payments.readPurchase(purchase.subscriptionId)).payment?.state).toBe("succeeded");
});

test("the quantity of the next period is charged once, when it begins; until then what was paid stays", async () => {
  const shop = await openShop();
  const { payments, customerId } = shop;
  const { purchase } = await buyWith(shop, "tok_visa", "jira.essential.month");
  const read = async () => (await listed(payments, customerId))[0]!;
  const charged = async () =>
    (await payments.listCharges(customerId, 10)).map(({ capturedCents }) => capturedCents);
  const { itemId, periodEnd } = await read();
  const order = { subscriptionId: purchase.subscriptionId, itemId, quantity: 130 };
  await payments.setQuantity(order, "recalculate");
  await payments.setQuantity(order, "recalculate");
  expect(await read()).toMatchObject({ quantity: 130, paidQuantity: 10, state: "active", periodEnd });
  expect(await charged()).toEqual([2_500]);
  expect(await payments.recurringCents(customerId, purchase.subscriptionId)).toBe(31_750);
  // The renewal is a draft for an hour, whose lines are drawn up when the period turns.
  await shop.control("clock", { at: periodEnd / 1000 });
  await payments.setQuantity({ ...order, quantity: 500 }, "too late for this period");
  await shop.control("clock", { advance: 3_600 });
  expect(await charged()).toEqual([31_750, 2_500]);
  expect(await read()).toMatchObject({ quantity: 500, paidQuantity: 130 });
});

test("what was bought of a graduated price is the sum of its brackets, also after a change within the period", async () => {
  const shop = await openShop();
  const { payments, customerId } = shop;
  const key = "jira.essential.month";
  const cardId = await shop.card("tok_visa");
  await payments.attachCard(customerId, cardId, "card");
  const order = await shop.order(key, 300);
  const { subscriptionId, intentId } = await payments.subscribe(order, "buy");
  await payments.confirmPayment(intentId!, cardId, "confirm");
  const read = async () => (await listed(payments, customerId))[0]!;
  expect(await read()).toMatchObject({ state: "active", quantity: 300, paidQuantity: 300 });
  for (const quantity of [600, 120]) {
    await shop.control("clock", { advance: 86_400 });
    shop.clock.at += 86_400_000;
    const { itemId } = await read();
    const change = { subscriptionId, itemId, priceId: order.priceId, quantity, isNewPeriod: false };
    await payments.changeSubscription({ ...change, prorationAt: shop.clock.at }, `change:${quantity}`);
    expect(await read()).toMatchObject({ quantity, paidQuantity: quantity });
  }
});

test("the quantity of a subscription that has ended, or of another's item, is not set", async () => {
  const shop = await openShop();
  const { payments, customerId } = shop;
  const { purchase } = await buyWith(shop, "tok_visa", "jira.essential.month");
  const { itemId } = (await listed(payments, customerId))[0]!;
  const order = { subscriptionId: purchase.subscriptionId, itemId, quantity: 5 };
  await expect(payments.setQuantity({ ...order, itemId: "si_other" }, "a")).rejects.toMatchObject({
    kind: "missing",
  });
  await payments.endSubscription(purchase.subscriptionId, "end");
  await expect(payments.setQuantity(order, "b")).rejects.toMatchObject({ kind: "refused" });
});

test("a change costs what its preview said; a dearer one is paid now, a cheaper one gives credit", async () => {
  const shop = await openShop();
  const { payments, customerId } = shop;
  const { purchase } = await buyWith(shop, "tok_visa");
  await shop.control("clock", { advance: 10 * 86_400 });
  shop.clock.at += 10 * 86_400_000;
  const itemId = (await listed(payments, customerId))[0]!.itemId;
  const change = {
    subscriptionId: purchase.subscriptionId,
    itemId,
    prorationAt: shop.clock.at,
    isNewPeriod: false,
  };
  const choice = { priceId: (await shop.order("github.essential.month", 50)).priceId, quantity: 50 };
  const shown = await payments.preview({ customerId, ...choice, taxRates: [], promotionId: null, change });
  const made = await payments.changeSubscription({ ...change, ...choice }, "change");
  expect(made).toMatchObject({ isChangePending: false, payment: { state: "succeeded" } });
  const invoice = await payments.readInvoice(made.invoiceId!);
  expect(invoice.totalCents).toBe(shown.totalCents);
  expect(invoice.paidCents).toBe(shown.dueCents);
  await payments.changeSubscription({ ...change, ...choice, quantity: 10 }, "back");
  expect((await payments.readCustomer(customerId)).creditCents).toBe(shown.dueCents);
});

test("a yearly plan begins a new period", async () => {
  const shop = await openShop();
  const { payments, customerId } = shop;
  const { purchase } = await buyWith(shop, "tok_visa");
  const [before] = await listed(payments, customerId);
  const { priceId } = await shop.order("github.essential.year", 10);
  const change = {
    subscriptionId: purchase.subscriptionId,
    itemId: before!.itemId,
    prorationAt: shop.clock.at,
    isNewPeriod: true,
  };
  await payments.changeSubscription({ ...change, priceId, quantity: 10 }, "year");
  const [after] = await listed(payments, customerId);
  expect(after).toMatchObject({ priceKey: "github.essential.year", state: "active" });
  expect(after!.periodEnd - after!.periodStart).toBe(365 * 86_400_000);
});

test("a cancellation is read from either field, and taken back", async () => {
  const shop = await openShop();
  const { payments, customerId, stripe } = shop;
  const { purchase } = await buyWith(shop, "tok_visa");
  const subscriptionId = purchase.subscriptionId;
  const [before] = await listed(payments, customerId);
  await payments.setCancelling({ subscriptionId, isCancelling: true }, "cancel");
  expect((await listed(payments, customerId))[0]).toMatchObject({ cancelAt: before!.periodEnd });
  await payments.setCancelling({ subscriptionId, isCancelling: false, byDate: false }, "undo");
  expect((await listed(payments, customerId))[0]).toMatchObject({ cancelAt: null });
  await stripe.subscriptions.update(subscriptionId, { cancel_at: before!.periodEnd / 1000 });
  expect((await listed(payments, customerId))[0]).toMatchObject({ isCancelledByDate: true });
  await payments.setCancelling({ subscriptionId, isCancelling: false, byDate: true }, "undo-date");
  expect((await listed(payments, customerId))[0]).toMatchObject({ cancelAt: null, isCancelledByDate: false });
});

test("the customer's address, tax ids, cards and portal", async () => {
  const { payments, customerId, card } = await openShop();
  const address = {
    country: "DE",
    state: null,
    city: "Berlin",
    line1: "Am Ufer 1",
    line2: null,
    postalCode: "10115",
  };
  await payments.saveAddress(customerId, { name: "Meridian", address }, "address");
  const taxId = await payments.addTaxId(customerId, { type: "eu_vat", value: "DE123456789" }, "tax");
  expect(await payments.readCustomer(customerId)).toMatchObject({
    name: "Meridian",
    address,
    creditCents: 0,
    card: null,
    taxIds: [{ id: taxId, type: "eu_vat", value: "DE123456789" }],
  });
  expect(await payments.removeTaxId(customerId, taxId)).toBe(true);
  expect(await payments.removeTaxId(customerId, taxId)).toBe(false);
  const rate = await payments.taxRate({ country: "DE", basisPoints: 1_900, label: "VAT" });
  expect(await payments.taxRate({ country: "DE", basisPoints: 1_900, label: "VAT" })).toBe(rate);
  const cardId = await card("tok_visa");
  expect(await payments.ownerOfCard(cardId)).toBeNull();
  await payments.attachCard(customerId, cardId, "card");
  expect(await payments.ownerOfCard(cardId)).toBe(customerId);
  expect((await payments.readCustomer(customerId)).card).toMatchObject({ id: cardId, last4: "4242" });
  await expect(payments.ownerOfCard("pm_absent")).rejects.toMatchObject({ kind: "missing" });
  expect(await payments.createCardSetup(customerId, "setup")).toMatchObject({
    clientSecret: expect.stringMatching(/_secret_/),
  });
  expect(await payments.openPortal(customerId, "https://app.example.test/subscriptions")).toMatch(/^http/);
  const known = (email: string) => payments.findCustomers({ organisationId: ORGANISATION, email });
  expect(await known("nora@meridian.example")).toEqual([customerId]);
  await payments.setEmail(customerId, "heir@meridian.example", "email");
  expect(await known("nora@meridian.example")).toEqual([]);
  expect(await known("heir@meridian.example")).toEqual([customerId]);
});

test("the portal's features are set, and set again when somebody changed them", async () => {
  const { payments, catalogue, customerId } = await openShop();
  const { configurations } = catalogue.stripe.billingPortal;
  const id = await ensurePortal(catalogue);
  const wanted = (await configurations.retrieve(id)).features;
  expect(wanted).toMatchObject({
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
    customer_update: { enabled: true, allowed_updates: ["address", "tax_id"] },
    subscription_cancel: { enabled: false },
    subscription_pause: { enabled: false },
    subscription_update: { enabled: false },
  });
  for (const features of [
    { subscription_cancel: { enabled: true } },
    { invoice_history: { enabled: false } },
    { customer_update: { enabled: true, allowed_updates: ["address" as const] } },
  ]) {
    await configurations.update(id, { features });
    expect(await ensurePortal(catalogue)).toBe(id);
    expect((await configurations.retrieve(id)).features).toEqual(wanted);
  }
  await payments.openPortal(customerId, "https://app.example.test/subscriptions");
  expect((await configurations.list({ limit: 100 })).data).toHaveLength(1);
});

test("an event is read only with our signature, in time, and of our mode", async () => {
  const { payments, own, stripe, clock } = await openShop();
  const event = (over: object = {}) =>
    JSON.stringify({
      id: "evt_1",
      object: "event",
      type: "invoice.paid",
      created: 1,
      livemode: false,
      data: { object: { object: "invoice", id: "in_1", customer: "cus_1" } },
      ...over,
    });
  const sign = (payload: string, secret = own.STRIPE_WEBHOOK_SECRET, at = clock.at) =>
    stripe.webhooks.generateTestHeaderStringAsync({
      payload,
      secret,
      timestamp: Math.floor(at / 1000),
    });
  const body = event();
  expect(await payments.readEvent(body, await sign(body))).toMatchObject({
    id: "evt_1",
    customerId: "cus_1",
  });
  const refused = [
    [body, await sign(body, "whsec_other")],
    [body.replace("cus_1", "cus_2"), await sign(body)],
    [body, await sign(body, own.STRIPE_WEBHOOK_SECRET, clock.at - 301_000)],
    [event({ livemode: true }), await sign(event({ livemode: true }))],
    [body, "t=1,v1=00"],
    [body, ""],
  ] as const;
  for (const [text, signature] of refused)
    await expect(payments.readEvent(text, signature)).rejects.toMatchObject({ kind: "forged" });
});

test("refunds, disputes and credit notes are read with their payments and invoices", async () => {
  const shop = await openShop();
  const { payments, customerId, stripe, control } = shop;
  await buyWith(shop, "tok_visa");
  expect(await payments.listCorrections(customerId)).toEqual([]);
  const [charge] = await payments.listCharges(customerId, 1);
  const [invoice] = await payments.listInvoices(customerId, 1);
  await stripe.creditNotes.create({
    ...{ invoice: invoice!.id, amount: 300, refund_amount: 100, credit_amount: 200 },
  });
  const { id: dispute } = await control<{ id: string }>("disputes", { charge: charge!.id });
  const about = { intentId: charge!.intentId, invoiceId: null, number: null };
  const found = () => payments.listCorrections(customerId);
  expect((await found()).toSorted((a, b) => a.cents - b.cents)).toMatchObject([
    { kind: "refund", state: "done", cents: 100, ...about },
    {
      kind: "credit_note",
      state: "done",
      cents: 300,
      refundedCents: 100,
      invoiceId: invoice!.id,
      intentId: null,
    },
    { kind: "dispute", state: "open", cents: 1_200, ...about },
  ]);
  await control("disputes/close", { dispute, outcome: "lost" });
  expect((await found()).map(({ state }) => state).sort()).toEqual(["done", "done", "lost"]);
});

test("a dispute's event names no customer, so its charge is asked; one without a charge is nobody's", async () => {
  const shop = await openShop();
  const { payments, customerId, own, clock, stripe } = shop;
  await buyWith(shop, "tok_visa");
  const [charge] = await payments.listCharges(customerId, 1);
  const read = async (id: string) => {
    const object = { object: "dispute", id: "du_1", charge: id };
    const body = JSON.stringify({
      ...{ id: "evt_1", object: "event", type: "charge.dispute.created", livemode: false },
      ...{ created: Math.floor(clock.at / 1000), data: { object } },
    });
    const signature = await stripe.webhooks.generateTestHeaderStringAsync({
      ...{ payload: body, secret: own.STRIPE_WEBHOOK_SECRET, timestamp: Math.floor(clock.at / 1000) },
    });
    return payments.readEvent(body, signature);
  };
  expect((await read(charge!.id)).customerId).toBe(customerId);
  expect((await read("ch_none")).customerId).toBeNull();
});

test("a tax id has the state of its register, and a reverse charge is on previews and invoices until it ends", async () => {
  const shop = await openShop();
  const { payments, customerId, stripe } = shop;
  const rate = await payments.taxRate({ country: "DE", basisPoints: 1_900, label: "VAT" });
  for (const value of ["DE123456789", "DE000000000", "DE111111111"])
    await payments.addTaxId(customerId, { type: "eu_vat", value }, `tax:${value}`);
  expect((await payments.readCustomer(customerId)).taxIds.map(({ state }) => state).sort()).toEqual([
    "pending",
    "unverified",
    "verified",
  ]);
  await stripe.customers.update(customerId, { tax_exempt: "reverse" });
  expect((await payments.readCustomer(customerId)).isReverseCharge).toBe(true);
  const order = await shop.order("github.essential.month", 10);
  const preview = () => payments.preview({ ...order, taxRates: [rate], promotionId: null, change: null });
  expect(await preview()).toMatchObject({ isReverseCharge: true, taxCents: 0, dueCents: 1_200 });
  const purchase = await payments.subscribe({ ...order, taxRates: [rate] }, "buy");
  expect(await payments.readInvoice(purchase.invoiceId!)).toMatchObject({
    isReverseCharge: true,
    taxCents: 0,
  });
  expect(await payments.listOpenInvoices(customerId)).toMatchObject([{ id: purchase.invoiceId }]);
  await payments.endReverseCharge(customerId, "end");
  expect(await preview()).toMatchObject({ isReverseCharge: false, taxCents: 228 });
});

test("a state that is not known is reported, and the other subscriptions are read", async () => {
  const shop = await openShop();
  const { purchase } = await buyWith(shop, "tok_visa");
  const strange = createStripe(shop.own, {
    clock: shop.clock,
    fetch: async (input, init) => {
      const answer = await fetch(input, init);
      const text = (await answer.text()).replace(/"status":\s*"active"/, '"status":"dormant"');
      return new Response(text, answer);
    },
  });
  const { subscriptions, unreadable } = await strange.listSubscriptions(shop.customerId);
  expect(subscriptions).toEqual([]);
  expect(unreadable).toMatchObject([{ id: purchase.subscriptionId }]);
});

test("what the provider does not answer is unavailable, and no key ever leaves in an error", async () => {
  const { own, clock } = await openShop();
  const payments = createStripe(own, {
    clock,
    fetch: async () => {
      throw new Error("no route");
    },
  });
  const failure = await payments.readCustomer("cus_1").catch((cause: unknown) => cause);
  expect(failure).toBeInstanceOf(PaymentError);
  expect(failure).toMatchObject({ kind: "unavailable" });
  expect(JSON.stringify(failure)).not.toContain(own.STRIPE_SECRET_KEY);
});
