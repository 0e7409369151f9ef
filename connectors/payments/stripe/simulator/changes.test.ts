import fc from "fast-check";
import type Stripe from "stripe";
import { expect, test } from "vitest";
import { faultOf, intentOf, START, stripeForTest } from "./test-world.ts";

const DAY = 86_400;
const SEED = 20_270_115;
const itemOf = (subscription: Stripe.Subscription) => String(subscription.items.data[0]?.id);
const sum = (amounts: number[]) => amounts.reduce((total, each) => total + each, 0);
const taxOf = (invoice: Stripe.Invoice) => sum((invoice.total_taxes ?? []).map(({ amount }) => amount));
const discountOf = (invoice: Stripe.Invoice) =>
  sum((invoice.total_discount_amounts ?? []).map(({ amount }) => amount));
/** What a line says, without the ids that a preview does not share. */
const told = ({ amount, quantity, period, description }: Stripe.InvoiceLineItem) => ({
  amount,
  quantity,
  period,
  description,
});

const change = (subscription: Stripe.Subscription, price: string, quantity: number, at: number) => ({
  preview: {
    subscription: subscription.id,
    subscription_details: {
      items: [{ id: itemOf(subscription), price, quantity }],
      proration_behavior: "always_invoice",
      proration_date: at,
    },
  } satisfies Stripe.InvoiceCreatePreviewParams,
  update: {
    items: [{ id: itemOf(subscription), price, quantity }],
    proration_behavior: "always_invoice",
    proration_date: at,
    payment_behavior: "pending_if_incomplete",
    expand: ["latest_invoice.payments"],
  } satisfies Stripe.SubscriptionUpdateParams,
});

test("for any moments and prices, a change is billed as previewed: old part back, new part added, by the second", async () => {
  const { stripe, control, customer, price, buy } = await stripeForTest();
  const { id } = await customer();
  const rate = await stripe.taxRates.create({ display_name: "VAT", inclusive: false, percentage: 19 });
  const amount = fc.integer({ min: 100, max: 99_999 });
  const span = 31 * DAY;
  const second = fc.integer({ min: 0, max: span - 1 });
  await fc.assert(
    fc.asyncProperty(amount, amount, amount, second, second, async (first, next, last, one, other) => {
      await control("clock", { at: START });
      const prices = [await price(first), await price(next), await price(last)];
      const bought = await buy(id, String(prices[0]?.id), { default_tax_rates: [rate.id] });
      // What the customer paid for the time after a moment, counted here and not by the simulator.
      let debit = { amount: first, start: START };
      const end = START + span;
      for (const [at, asked] of [Math.min(one, other), Math.max(one, other)].entries()) {
        const moment = START + asked;
        const full = at === 0 ? next : last;
        await control("clock", { at: moment });
        const { preview, update } = change(bought, String(prices[at + 1]?.id), 1, moment);
        const shown = await stripe.invoices.createPreview(preview);
        const changed = await stripe.subscriptions.update(bought.id, update);
        const billed = changed.latest_invoice as Stripe.Invoice;
        const credit = Math.round((debit.amount * (end - moment)) / (end - debit.start));
        const added = Math.round((full * (end - moment)) / span);
        expect(shown.lines.data.map(({ amount }) => amount)).toEqual([-credit || 0, added]);
        expect(billed.lines.data.map(told)).toEqual(shown.lines.data.map(told));
        expect([billed.total, billed.amount_due]).toEqual([shown.total, shown.amount_due]);
        expect(sum(billed.lines.data.map(({ amount }) => amount)) + taxOf(billed) - discountOf(billed)).toBe(
          billed.total,
        );
        debit = { amount: added, start: moment };
      }
      await stripe.subscriptions.cancel(bought.id);
    }),
    { seed: SEED, numRuns: process.env.HOLDFAST_DEEP ? 200 : 6 },
  );
});

test("each line is rounded alone: -667 and 333 are -334, which goes to the balance and pays other invoices", async () => {
  const { stripe, control, customer, price, buy } = await stripeForTest();
  await control("clock", { at: Date.UTC(2027, 3, 1) / 1000 });
  const { id } = await customer();
  const bought = await buy(id, (await price(1_000)).id);
  const moment = Date.UTC(2027, 3, 11) / 1000;
  await control("clock", { at: moment });
  const changed = await stripe.subscriptions.update(
    bought.id,
    change(bought, (await price(500)).id, 1, moment).update,
  );
  const billed = changed.latest_invoice as Stripe.Invoice;
  expect(billed.lines.data.map(({ amount }) => amount)).toEqual([-667, 333]);
  expect(billed).toMatchObject({ total: -334, amount_due: 0, status: "paid", ending_balance: -334 });
  expect((await stripe.customers.retrieve(id)) as Stripe.Customer).toMatchObject({ balance: -334 });
  const other = await buy(id, (await price(2_000)).id);
  const paid = await stripe.invoices.retrieve(String(other.latest_invoice));
  expect(paid).toMatchObject({ total: 2_000, starting_balance: -334, amount_due: 1_666, ending_balance: 0 });
  const moves = await stripe.customers.listBalanceTransactions(id);
  expect(moves.data.map(({ amount, ending_balance }) => [amount, ending_balance])).toEqual([
    [334, 0],
    [-334, -334],
  ]);
});

test("a change and its reverse in one second cost nothing", async () => {
  const { stripe, control, customer, price, buy } = await stripeForTest();
  const { id } = await customer();
  const [small, large] = [await price(700), await price(1_900)];
  const bought = await buy(id, small.id);
  const moment = START + 5 * DAY + 12_345;
  await control("clock", { at: moment });
  const up = await stripe.subscriptions.update(bought.id, change(bought, large.id, 1, moment).update);
  const down = await stripe.subscriptions.update(bought.id, change(bought, small.id, 1, moment).update);
  expect((up.latest_invoice as Stripe.Invoice).total + (down.latest_invoice as Stripe.Invoice).total).toBe(0);
});

test("month to year needs its anchor: then a year begins now and the rest of the month is credited", async () => {
  const { stripe, control, customer, price, buy } = await stripeForTest();
  const { id } = await customer();
  const [month, year] = [await price(3_100), await price(30_000, "year")];
  const bought = await buy(id, month.id);
  const moment = START + 10 * DAY;
  await control("clock", { at: moment });
  const { preview, update } = change(bought, year.id, 1, moment);
  const details = { ...preview.subscription_details, billing_cycle_anchor: { type: "now" } as const };
  const shown = await stripe.invoices.createPreview({ ...preview, subscription_details: details });
  const changed = await stripe.subscriptions.update(bought.id, {
    ...update,
    billing_cycle_anchor: { type: "now" },
  });
  const billed = changed.latest_invoice as Stripe.Invoice;
  expect(billed.lines.data.map(({ amount }) => amount)).toEqual([-2_100, 30_000]);
  expect(billed.lines.data.map(told)).toEqual(shown.lines.data.map(told));
  expect(changed).toMatchObject({ billing_cycle_anchor: moment, status: "active" });
  expect(changed.items.data[0]).toMatchObject({
    current_period_start: moment,
    current_period_end: Date.UTC(2028, 0, 25, 9) / 1000,
  });
});

test("an interval that changes without its anchor is billed at once to the next boundary, as previewed", async () => {
  const { stripe, control, customer, price, buy } = await stripeForTest();
  const { id } = await customer();
  const [month, year] = [await price(3_100), await price(36_500, "year")];
  const bought = await buy(id, month.id);
  const moment = START + 10 * DAY;
  await control("clock", { at: moment });
  const item = [{ id: itemOf(bought), price: year.id }];
  const shown = await stripe.invoices.createPreview({
    subscription: bought.id,
    subscription_details: { items: item },
  });
  const changed = await stripe.subscriptions.update(bought.id, { items: item, expand: ["latest_invoice"] });
  const billed = changed.latest_invoice as Stripe.Invoice;
  expect(billed.lines.data.map(({ amount }) => amount)).toEqual([-2_100, 35_500]);
  expect(billed.lines.data.map(told)).toEqual(shown.lines.data.map(told));
  expect(changed.items.data[0]?.current_period_end).toBe(Date.UTC(2028, 0, 15, 9) / 1000);
});

test("who has a price that is no longer sold keeps it with another quantity", async () => {
  const { stripe, customer, price, buy } = await stripeForTest();
  const { id } = await customer();
  const old = await price(900);
  const bought = await buy(id, old.id);
  await stripe.prices.update(old.id, { active: false });
  const more = await stripe.subscriptions.update(bought.id, { items: [{ id: itemOf(bought), quantity: 2 }] });
  expect(more.items.data[0]).toMatchObject({ quantity: 2, price: { id: old.id, active: false } });
  expect((await faultOf(buy(id, old.id))).statusCode).toBe(400);
});

test("a change that is not paid leaves the old plan, and is applied once its invoice is paid", async () => {
  const { stripe, control, customer, price, buy } = await stripeForTest();
  const { id } = await customer();
  const [small, large] = [await price(1_000), await price(5_000)];
  const bought = await buy(id, small.id);
  await control("clock", { advance: DAY });
  const card = await stripe.paymentMethods.attach("pm_card_authenticationRequired", { customer: id });
  await stripe.customers.update(id, { invoice_settings: { default_payment_method: card.id } });
  const waiting = await stripe.subscriptions.update(
    bought.id,
    change(bought, large.id, 1, START + DAY).update,
  );
  expect(waiting.items.data[0]?.price.id).toBe(small.id);
  expect(waiting).toMatchObject({
    status: "active",
    pending_update: { expires_at: START + DAY + 23 * 3_600 },
  });
  expect(waiting.pending_update?.subscription_items?.[0]?.price.id).toBe(large.id);
  const intent = intentOf(waiting.latest_invoice);
  await control("challenges", { intent });
  const changed = await stripe.subscriptions.retrieve(bought.id);
  expect([changed.items.data[0]?.price.id, changed.pending_update]).toEqual([large.id, null]);
  const types = (await stripe.events.list({ limit: 10 })).data.map(({ type }) => type);
  expect(types).toContain("customer.subscription.pending_update_applied");
});

test("a change that nobody pays is over after 23 hours and its invoice void; the old plan goes on", async () => {
  const { stripe, control, customer, price, buy } = await stripeForTest();
  const { id } = await customer();
  const [small, large] = [await price(1_000), await price(5_000)];
  const bought = await buy(id, small.id);
  const bad = await stripe.paymentMethods.attach("pm_card_chargeCustomerFail", { customer: id });
  await stripe.customers.update(id, { invoice_settings: { default_payment_method: bad.id } });
  await control("clock", { advance: DAY });
  const waiting = await stripe.subscriptions.update(
    bought.id,
    change(bought, large.id, 1, START + DAY).update,
  );
  expect(waiting.latest_invoice).toMatchObject({ status: "open", auto_advance: false });
  await control("clock", { advance: 23 * 3_600 });
  const after = await stripe.subscriptions.retrieve(bought.id, { expand: ["latest_invoice"] });
  expect(after).toMatchObject({ status: "active", pending_update: null, latest_invoice: { status: "void" } });
  expect(after.items.data[0]?.price.id).toBe(small.id);
  const odd = stripe.subscriptions.update(bought.id, {
    payment_behavior: "pending_if_incomplete",
    description: "x",
  });
  expect((await faultOf(odd)).param).toBe("description");
});

test("tiers: volume bills one tier for all units, graduated each tier for its own, a line each", async () => {
  const { stripe, customer, buy } = await stripeForTest();
  const { id } = await customer();
  const product = await stripe.products.create({ name: "Jira" });
  const common = {
    currency: "usd",
    product: product.id,
    recurring: { interval: "month" },
    billing_scheme: "tiered",
  } as const;
  const volume = await stripe.prices.create({
    ...common,
    tiers_mode: "volume",
    lookup_key: "trello.essential.month",
    tiers: [
      { up_to: 10, flat_amount: 1_000 },
      { up_to: 50, flat_amount: 2_000 },
      { up_to: "inf", flat_amount: 4_000 },
    ],
  });
  const graduated = await stripe.prices.create({
    ...common,
    tiers_mode: "graduated",
    tiers: [
      { up_to: 100, unit_amount: 250 },
      { up_to: "inf", unit_amount: 225 },
    ],
    expand: ["tiers"],
  });
  expect(graduated.tiers).toMatchObject([
    { up_to: 100, unit_amount: 250 },
    { up_to: null, unit_amount: 225 },
  ]);
  const amounts = async (price: string, quantity: number) => {
    const bought = await buy(id, price, { items: [{ price, quantity }] });
    const { lines } = await stripe.invoices.retrieve(String(bought.latest_invoice));
    return lines.data.map(({ amount, quantity }) => [quantity, amount]);
  };
  expect(await amounts(volume.id, 50)).toEqual([[50, 2_000]]);
  expect(await amounts(graduated.id, 101)).toEqual([
    [100, 25_000],
    [1, 225],
  ]);
  const refused = stripe.prices.create({
    ...common,
    tiers_mode: "volume",
    lookup_key: "trello.essential.month",
    tiers: [{ up_to: "inf", flat_amount: 1 }],
  });
  expect((await faultOf(refused)).param).toBe("lookup_key");
  const taken = await stripe.prices.create({
    ...common,
    tiers_mode: "volume",
    lookup_key: "trello.essential.month",
    transfer_lookup_key: true,
    tiers: [{ up_to: "inf", flat_amount: 1_500 }],
  });
  const listed = await stripe.prices.list({
    lookup_keys: ["trello.essential.month"],
    expand: ["data.tiers"],
  });
  expect(listed.data.map(({ id }) => id)).toEqual([taken.id]);
});

test("a coupon takes off before tax and is credited as it was paid", async () => {
  const { stripe, control, customer, price, buy } = await stripeForTest();
  const { id } = await customer();
  const rate = await stripe.taxRates.create({ display_name: "VAT", inclusive: false, percentage: 20 });
  const coupon = await stripe.coupons.create({ percent_off: 25, duration: "forever" });
  const code = await stripe.promotionCodes.create({
    code: "QUAY25",
    promotion: { type: "coupon", coupon: coupon.id },
    max_redemptions: 1,
  });
  const found = await stripe.promotionCodes.list({
    code: "quay25",
    active: true,
    limit: 1,
    expand: ["data.promotion.coupon.applies_to"],
  });
  expect(found.data[0]).toMatchObject({
    id: code.id,
    promotion: { coupon: { percent_off: 25, valid: true } },
  });
  const cheap = await price(2_000);
  const params = { customer: id, subscription_details: { items: [{ price: cheap.id, quantity: 1 }] } };
  const shown = await stripe.invoices.createPreview({ ...params, discounts: [{ promotion_code: code.id }] });
  expect([shown.subtotal, discountOf(shown), taxOf(shown), shown.total]).toEqual([2_000, 500, 0, 1_500]);
  const bought = await buy(id, cheap.id, {
    discounts: [{ promotion_code: code.id }],
    default_tax_rates: [rate.id],
  });
  const billed = await stripe.invoices.retrieve(String(bought.latest_invoice));
  expect([billed.subtotal, discountOf(billed), taxOf(billed), billed.total]).toEqual([
    2_000, 500, 300, 1_800,
  ]);
  expect((await stripe.promotionCodes.list({ code: "QUAY25", active: true })).data).toEqual([]);
  expect(await faultOf(buy(id, cheap.id, { discounts: [{ promotion_code: code.id }] }))).toMatchObject({
    statusCode: 400,
  });
  await control("clock", { at: START + DAY });
  const dear = await price(4_000);
  const changed = await stripe.subscriptions.update(
    bought.id,
    change(bought, dear.id, 1, START + DAY).update,
  );
  const [credit, added] = (changed.latest_invoice as Stripe.Invoice).lines.data;
  expect([credit?.amount, credit?.discountable]).toEqual([-Math.round((1_500 * 30) / 31), false]);
  const full = Math.round((4_000 * 30) / 31);
  expect([added?.amount, added?.discount_amounts?.[0]?.amount]).toEqual([full, Math.round(full / 4)]);
});

test("a quantity without proration costs nothing before the next period", async () => {
  const { stripe, control, customer, price, buy } = await stripeForTest();
  const { id } = await customer();
  const bought = await buy(id, (await price(250)).id, {
    items: [{ price: (await price(250)).id, quantity: 100 }],
  });
  await control("clock", { at: START + 30 * DAY });
  await stripe.subscriptions.update(bought.id, {
    items: [{ id: itemOf(bought), quantity: 120 }],
    proration_behavior: "none",
  });
  expect((await stripe.invoices.list({ customer: id })).data).toHaveLength(1);
  await control("clock", { at: START + 31 * DAY + 3_600 });
  const [renewal] = (await stripe.invoices.list({ customer: id })).data;
  expect(renewal).toMatchObject({ amount_paid: 30_000, status: "paid" });
});

test("an incomplete subscription takes only metadata, and the recurring preview only what recurs", async () => {
  const { stripe, control, customer, price, buy, order } = await stripeForTest();
  const { id } = await customer();
  const small = await price(1_200);
  const open = await order(id, small.id);
  expect((await faultOf(stripe.subscriptions.update(open.id, { description: "x" }))).statusCode).toBe(400);
  expect((await stripe.subscriptions.update(open.id, { metadata: { platform: "trello" } })).metadata).toEqual(
    { platform: "trello" },
  );
  const bought = await buy(id, small.id);
  await control("clock", { advance: DAY });
  const items = [{ id: itemOf(bought), quantity: 3 }];
  await stripe.subscriptions.update(bought.id, { items, proration_behavior: "create_prorations" });
  const next = await stripe.invoices.createPreview({ subscription: bought.id });
  expect(next.lines.data.map(({ amount }) => amount)).toEqual([-1_161, 3_484, 3_600]);
  const recurring = await stripe.invoices.createPreview({
    subscription: bought.id,
    preview_mode: "recurring",
  });
  expect([recurring.lines.data.length, recurring.total_excluding_tax]).toEqual([1, 3_600]);
});
