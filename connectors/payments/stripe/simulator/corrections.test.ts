import type Stripe from "stripe";
import { expect, test } from "vitest";
import { faultOf, stripeForTest } from "./test-world.ts";

async function bought() {
  const world = await stripeForTest();
  const { stripe, customer, price, buy } = world;
  const { id } = await customer();
  const subscription = await buy(id, (await price(2_000)).id);
  const [charge] = (await stripe.charges.list({ customer: id })).data;
  const [invoice] = (await stripe.invoices.list({ customer: id })).data;
  return { ...world, id, subscription, charge: charge!, invoice: invoice! };
}
const typesOf = async (stripe: Stripe) =>
  (await stripe.events.list({ limit: 100 })).data.map(({ type }) => type);

test("a refund is a part of its charge, comes with it when it is expanded, and leaves the subscription", async () => {
  const { stripe, id, charge, subscription } = await bought();
  await stripe.refunds.create({ charge: charge.id, amount: 500 });
  await stripe.refunds.create({ charge: charge.id });
  const fault = await faultOf(stripe.refunds.create({ charge: charge.id }));
  expect(fault).toMatchObject({ statusCode: 400, code: "charge_already_refunded" });
  const [read] = (await stripe.charges.list({ customer: id, expand: ["data.refunds"] })).data;
  expect(read).toMatchObject({ amount_refunded: 2_000, refunded: true });
  expect(read?.refunds?.data.map(({ amount }) => amount).sort()).toEqual([1_500, 500]);
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe("active");
  expect(await typesOf(stripe)).toEqual(expect.arrayContaining(["refund.created", "charge.refunded"]));
});

test("a dispute is found by its charge, names no customer, and is decided once", async () => {
  const { stripe, control, charge } = await bought();
  const dispute = await control<Stripe.Dispute>("disputes", { charge: charge.id });
  expect(dispute).not.toHaveProperty("customer");
  expect((await stripe.charges.retrieve(charge.id)).disputed).toBe(true);
  expect((await stripe.disputes.list({ charge: charge.id })).data).toMatchObject([
    { id: dispute.id, status: "needs_response", amount: 2_000, payment_intent: charge.payment_intent },
  ]);
  expect((await stripe.disputes.list({ charge: "ch_other" })).data).toEqual([]);
  await control("disputes/close", { dispute: dispute.id, outcome: "won" });
  expect((await stripe.disputes.retrieve(dispute.id)).status).toBe("won");
  expect((await faultOf(stripe.disputes.close(dispute.id))).statusCode).toBe(400);
  const types = await typesOf(stripe);
  for (const what of ["created", "funds_withdrawn", "closed", "funds_reinstated"])
    expect(types).toContain(`charge.dispute.${what}`);
});

test("to close a dispute is to lose it", async () => {
  const { stripe, control, charge } = await bought();
  const { id } = await control<Stripe.Dispute>("disputes", { charge: charge.id });
  expect((await stripe.disputes.close(id)).status).toBe("lost");
});

test("a credit note of a paid invoice gives back to the card and to the balance, and must add up", async () => {
  const { stripe, id, invoice, charge } = await bought();
  const wrong = stripe.creditNotes.create({ invoice: invoice.id!, amount: 700, refund_amount: 500 });
  expect((await faultOf(wrong)).statusCode).toBe(400);
  const note = await stripe.creditNotes.create({
    ...{ invoice: invoice.id!, amount: 700, refund_amount: 500, credit_amount: 200 },
    ...{ reason: "order_change", memo: "One user less" },
  });
  expect(note).toMatchObject({
    status: "issued",
    type: "post_payment",
    total: 700,
    post_payment_amount: 700,
  });
  expect(note.refunds).toMatchObject([{ amount_refunded: 500, type: "refund" }]);
  expect((await stripe.charges.retrieve(charge.id)).amount_refunded).toBe(500);
  expect((await stripe.customers.retrieve(id)) as Stripe.Customer).toMatchObject({ balance: -200 });
  expect(await stripe.invoices.retrieve(invoice.id!)).toMatchObject({
    post_payment_credit_notes_amount: 700,
  });
  expect((await stripe.creditNotes.list({ customer: id })).data.map(({ id }) => id)).toEqual([note.id]);
  const much = stripe.creditNotes.create({ invoice: invoice.id!, amount: 1_301, credit_amount: 1_301 });
  expect(await faultOf(much)).toMatchObject({ statusCode: 400, param: "amount" });
});

test("a credit note of an open invoice lowers it, is taken back while it is open, and pays it when nothing is left", async () => {
  const { stripe, control, customer, price, buy } = await stripeForTest();
  const { id } = await customer();
  const { id: subscription } = await buy(id, (await price(2_000)).id);
  const bad = await stripe.paymentMethods.attach("pm_card_chargeCustomerFail", { customer: id });
  await stripe.customers.update(id, { invoice_settings: { default_payment_method: bad.id } });
  await control("clock", { at: Date.UTC(2027, 1, 15, 10) / 1000 });
  const due = String((await stripe.subscriptions.retrieve(subscription)).latest_invoice);
  const part = await stripe.creditNotes.create({ invoice: due, amount: 500 });
  expect(part).toMatchObject({ type: "pre_payment", pre_payment_amount: 500 });
  expect(await stripe.invoices.retrieve(due)).toMatchObject({ status: "open", amount_remaining: 1_500 });
  await stripe.creditNotes.voidCreditNote(part.id);
  expect(await stripe.invoices.retrieve(due)).toMatchObject({ status: "open", amount_remaining: 2_000 });
  await stripe.creditNotes.create({ invoice: due, amount: 2_000 });
  expect(await stripe.invoices.retrieve(due)).toMatchObject({ status: "paid", amount_paid: 0 });
  expect((await stripe.subscriptions.retrieve(subscription)).status).toBe("active");
  expect(await typesOf(stripe)).toEqual(
    expect.arrayContaining(["credit_note.created", "credit_note.voided"]),
  );
});
