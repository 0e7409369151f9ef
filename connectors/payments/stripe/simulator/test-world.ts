import Stripe from "stripe";
import { expect, onTestFinished } from "vitest";
import type { AnsweredExchange } from "#connectors/toolkit/simulator/watch-answers.ts";
import { misfitsOf } from "./expect-fits.ts";
import { all } from "./store.ts";
import { type StripeSimulatorOptions, startStripeSimulator } from "./stripe-simulator.ts";

/** A moment on which test clocks and stopped clocks begin. */
export const START = Date.UTC(2027, 0, 15, 9, 0, 0) / 1000;

/**
 * Starts a simulated Stripe for one test, with the official SDK as its client, and stops it afterwards. At the end,
 * checks every answer against the types of the pinned API version, if they are available.
 */
export async function stripeForTest(options: StripeSimulatorOptions = {}) {
  const answers: AnsweredExchange[] = [];
  const simulator = await startStripeSimulator({
    onAnswer: (exchange) => answers.push(exchange),
    ...options,
    settings: { isHeld: true, ...options.settings },
  });
  onTestFinished(async () => {
    await simulator.stop();
    const events = all(simulator.world, "event");
    const list = { object: "list", data: events, has_more: false, url: "/v1/events" };
    answers.push({ method: "GET", url: "/events", status: 200, body: list });
    expect([...new Set(answers.flatMap(misfitsOf))]).toEqual([]);
  });
  const clientWith = (key: string) =>
    new Stripe(key, {
      ...{ host: "127.0.0.1", port: simulator.port, protocol: "http" },
      ...{ maxNetworkRetries: 0, telemetry: false },
    });
  const control = async <T = unknown>(path: string, body?: unknown): Promise<T> => {
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const answer = await fetch(`${simulator.url}/__sim/stripe/${path}`, init);
    const text = await answer.text();
    expect([answer.ok, answer.ok ? "" : text], path).toEqual([true, ""]);
    return (text === "" ? undefined : JSON.parse(text)) as T;
  };
  const stripe = clientWith(simulator.world.settings.secretKey);
  await control("clock", { at: START });
  return { ...simulator, answers, stripe, clientWith, control, ...shop(stripe) };
}

/** What most tests buy with. */
function shop(stripe: Stripe) {
  return {
    /** A customer with a default card of this test name. */
    async customer(card: string | null = "pm_card_visa", more: Stripe.CustomerCreateParams = {}) {
      const customer = await stripe.customers.create({
        email: "nora@meridian.example",
        name: "Nora",
        ...more,
      });
      if (card === null) return customer;
      const method = await stripe.paymentMethods.attach(card, { customer: customer.id });
      return stripe.customers.update(customer.id, {
        invoice_settings: { default_payment_method: method.id },
      });
    },
    /** A price per unit and month or year. */
    async price(
      amount: number,
      interval: "month" | "year" = "month",
      more: Partial<Stripe.PriceCreateParams> = {},
    ) {
      const product = await stripe.products.create({ name: `Backup for ${amount}` });
      return stripe.prices.create({
        ...{ currency: "usd", product: product.id, unit_amount: amount, recurring: { interval } },
        ...{ tax_behavior: "exclusive", ...more },
      });
    },
    /** Creates a subscription without paying, as the product does. */
    order: (customer: string, price: string, more: Partial<Stripe.SubscriptionCreateParams> = {}) =>
      stripe.subscriptions.create({
        customer,
        items: [{ price, quantity: 1 }],
        payment_behavior: "default_incomplete",
        billing_mode: { type: "flexible" },
        payment_settings: { payment_method_types: ["card"] },
        expand: ["latest_invoice.confirmation_secret", "latest_invoice.payments", "pending_setup_intent"],
        ...more,
      }),
    /** Creates a subscription and pays with the customer's card. */
    async buy(customer: string, price: string, more: Partial<Stripe.SubscriptionCreateParams> = {}) {
      const made = await stripe.subscriptions.create({
        ...{ customer, items: [{ price, quantity: 1 }], billing_mode: { type: "flexible" } },
        ...more,
      });
      return stripe.subscriptions.retrieve(made.id);
    },
  };
}

/** The error of a call that must fail. */
export async function faultOf(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error = await call.then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(Stripe.errors.StripeError);
  return error as Stripe.errors.StripeError;
}

/** The payment intent of an invoice that was expanded with its payments. */
export function intentOf(invoice: Stripe.Subscription["latest_invoice"]): string {
  const payment = typeof invoice === "object" ? invoice?.payments?.data[0]?.payment : undefined;
  return String(payment?.payment_intent);
}
