import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type Stripe from "stripe";
import { expect, onTestFinished, test } from "vitest";
import { startSimulator } from "./index.ts";
import { faultOf, stripeForTest } from "./test-world.ts";

const FEATURES: Stripe.BillingPortal.ConfigurationCreateParams.Features = {
  customer_update: { enabled: true, allowed_updates: ["address", "tax_id"] },
  invoice_history: { enabled: true },
  payment_method_update: { enabled: true },
  subscription_cancel: { enabled: false },
};

test("the portal shows what its configuration turns on, and changes card, address and tax id", async () => {
  const { stripe, customer, price, buy } = await stripeForTest();
  const { id } = await customer();
  const { id: bought } = await buy(id, (await price(900)).id);
  expect((await faultOf(stripe.billingPortal.sessions.create({ customer: id }))).statusCode).toBe(400);
  const configuration = await stripe.billingPortal.configurations.create({ features: FEATURES });
  const session = await stripe.billingPortal.sessions.create({
    customer: id,
    configuration: configuration.id,
    return_url: "http://localhost:8787/subscriptions",
  });
  const page = await (await fetch(session.url)).text();
  expect(page).toContain("visa •••• 4242");
  expect(page).toContain('<a href="http://localhost:8787/subscriptions">');
  expect(page).not.toContain("Cancel subscription");
  const post = (name: string, fields: Record<string, string>) =>
    fetch(`${session.url}/${name}`, {
      method: "POST",
      body: new URLSearchParams(fields),
      redirect: "manual",
    });
  expect((await post("cancel", { subscription: bought })).status).toBe(404);
  expect((await post("card", { number: "5555 5555 5555 4444", expiry: "11 / 39" })).status).toBe(303);
  expect((await post("card", { number: "4000 0000 0000 0002", expiry: "11 / 39" })).status).toBe(400);
  await post("address", { line1: "Quay 1", city: "Berlin", postal_code: "10115", country: "DE" });
  await post("tax-id", { type: "eu_vat", value: "DE123456789" });
  const changed = (await stripe.customers.retrieve(id, {
    expand: ["invoice_settings.default_payment_method", "tax_ids"],
  })) as Stripe.Customer;
  expect(changed).toMatchObject({
    address: { city: "Berlin", country: "DE" },
    invoice_settings: {
      default_payment_method: { card: { brand: "mastercard", last4: "4444", exp_year: 2039 } },
    },
    tax_ids: { data: [{ type: "eu_vat", country: "DE" }] },
  });
  await stripe.billingPortal.configurations.update(configuration.id, {
    features: { subscription_cancel: { enabled: true } },
  });
  await post("cancel", { subscription: bought });
  const ending = await stripe.subscriptions.retrieve(bought);
  expect([ending.cancel_at_period_end, ending.cancel_at]).toEqual([
    false,
    ending.items.data[0]?.current_period_end,
  ]);
});

test("an invoice has a page and a PDF, a charge a receipt, and the dashboard moves the clock", async () => {
  const { stripe, url, customer, price, buy } = await stripeForTest();
  const { id } = await customer();
  const bought = await buy(id, (await price(900)).id);
  const invoice = await stripe.invoices.retrieve(String(bought.latest_invoice));
  expect(await (await fetch(String(invoice.hosted_invoice_url))).text()).toContain("$9.00");
  const pdf = await fetch(String(invoice.invoice_pdf));
  expect(pdf.headers.get("content-type")).toBe("application/pdf");
  expect((await pdf.text()).slice(0, 8)).toBe("%PDF-1.4");
  const [charge] = (await stripe.charges.list({ customer: id })).data;
  expect(await (await fetch(String(charge?.receipt_url))).text()).toContain("Receipt from Holdfast");
  await fetch(`${url}/clock`, {
    method: "POST",
    body: new URLSearchParams({ seconds: String(31 * 86_400) }),
  });
  await fetch(`${url}/clock`, { method: "POST", body: new URLSearchParams({ seconds: "3600" }) });
  expect((await stripe.invoices.list({ customer: id })).data).toHaveLength(2);
  expect(await (await fetch(url)).text()).toContain("customer.subscription.updated");
});

test("refunds, disputes, tax ids and declines can be caused", async () => {
  const { stripe, control, customer, price, buy, order } = await stripeForTest();
  const { id } = await customer();
  const cheap = await price(900);
  await buy(id, cheap.id);
  const charge = String((await stripe.charges.list({ customer: id })).data[0]?.id);
  await control("refunds", { charge, amount: 400 });
  await stripe.refunds.create({ charge });
  expect(await stripe.charges.retrieve(charge, { expand: ["refunds"] })).toMatchObject({
    amount_refunded: 900,
    refunded: true,
    refunds: { data: [{ amount: 500 }, { amount: 400 }] },
  });
  expect((await faultOf(stripe.refunds.create({ charge }))).code).toBe("charge_already_refunded");
  const dispute = await control<{ id: string }>("disputes", { charge });
  expect((await stripe.disputes.retrieve(dispute.id)).status).toBe("needs_response");
  expect((await stripe.charges.retrieve(charge)).disputed).toBe(true);
  const taxId = await stripe.customers.createTaxId(id, { type: "eu_vat", value: "DE123456789" });
  expect((await faultOf(stripe.customers.createTaxId(id, { type: "eu_vat", value: "?" }))).code).toBe(
    "tax_id_invalid",
  );
  await stripe.customers.deleteTaxId(id, taxId.id);
  expect((await stripe.customers.listTaxIds(id)).data).toEqual([]);
  await control("decline-next", { outcome: "insufficient" });
  const made = await order(id, cheap.id);
  const intent = String((made.latest_invoice as Stripe.Invoice).payments?.data[0]?.payment.payment_intent);
  const card = (await stripe.paymentMethods.list({ customer: id })).data[0]?.id ?? "";
  const fault = await faultOf(stripe.paymentIntents.confirm(intent, { payment_method: card }));
  expect(fault.decline_code).toBe("insufficient_funds");
  expect(Object.keys(await control<object>("dump"))).toContain("subscription");
});

test("everything survives a restart in the same folder", async () => {
  const directory = mkdtempSync(path.join(tmpdir(), "holdfast-test-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const order = { port: 0, directory, webhookUrl: "http://127.0.0.1:9/hook" };
  const first = await startSimulator(order);
  const call = async ({ url, vars }: typeof first, method: string, name: string) => {
    const headers = { Authorization: `Bearer ${vars.STRIPE_SECRET_KEY}` };
    return (await (await fetch(`${url}/v1/${name}`, { method, headers })).json()) as {
      data: { id: string }[];
      id: string;
    };
  };
  const { id } = await call(first, "POST", "customers");
  await first.stop();
  const second = await startSimulator(order);
  expect((await call(second, "GET", "customers")).data).toMatchObject([{ id }]);
  expect((await call(second, "GET", "webhook_endpoints")).data).toHaveLength(1);
  await second.stop();
});
