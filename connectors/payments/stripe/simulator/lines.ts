import { partsOf } from "./amounts.ts";
import { boundary } from "./periods.ts";
import type { StripeWorld } from "./state.ts";
import { get, newId } from "./store.ts";
import type { Price } from "./things/catalogue.ts";
import type { Debit, InvoiceLine, Subscription, SubscriptionItem } from "./things/subscriptions.ts";

type Period = { start: number; end: number };
type LineOrder = {
  amount: number;
  quantity: number;
  description: string;
  period: Period;
  isProration: boolean;
  /** The debit that the line gives back. */
  credited?: Debit;
};

/** The lines of a whole period of an item: one for each part of its price. */
export function periodLines(
  world: StripeWorld,
  subscription: Subscription,
  item: SubscriptionItem,
  period: Period,
): InvoiceLine[] {
  const price = get(world, "price", item.price);
  const name = get(world, "product", price.product).name;
  return partsOf(price, item.quantity).map(({ quantity, amount, label }) =>
    lineOf(subscription, item, price, {
      amount,
      quantity,
      description: `${quantity} × ${name}${label} (at ${wordsFor(price)})`,
      period,
      isProration: false,
    }),
  );
}

/**
 * The lines for the rest of a period: each part of the price by the second, each rounded alone
 * (docs.stripe.com/billing/subscriptions/prorations).
 */
export function remainingLines(
  world: StripeWorld,
  subscription: Subscription,
  item: SubscriptionItem,
  { at, whole }: { at: number; whole: Period },
): InvoiceLine[] {
  const price = get(world, "price", item.price);
  const name = get(world, "product", price.product).name;
  const share = (whole.end - at) / (whole.end - whole.start);
  return partsOf(price, item.quantity).map(({ quantity, amount, label }) =>
    lineOf(subscription, item, price, {
      amount: roundCents(amount * share),
      quantity,
      description: `Remaining time on ${quantity} × ${name}${label} after ${dayOf(at)}`,
      period: { start: at, end: whole.end },
      isProration: true,
    }),
  );
}

/**
 * The lines that give back what was billed for the time after a moment. Flexible billing credits what was debited, with
 * its discounts, a line for each debit (docs.stripe.com/billing/subscriptions/billing-mode/compare).
 */
export function creditLines(
  world: StripeWorld,
  subscription: Subscription,
  item: SubscriptionItem,
  at: number,
): InvoiceLine[] {
  return item.sim.debits
    .filter(({ start, end }) => start <= at && at < end)
    .map((debit) => {
      const price = get(world, "price", debit.price);
      const name = get(world, "product", price.product).name;
      const share = (debit.end - at) / (debit.end - debit.start);
      return lineOf(subscription, item, price, {
        amount: -roundCents(debit.net * share),
        quantity: debit.quantity,
        description: `Unused time on ${debit.quantity} × ${name} after ${dayOf(at)}`,
        period: { start: at, end: debit.end },
        isProration: true,
        credited: debit,
      });
    });
}

/** Rounds half away from zero, and never to minus zero. */
export function roundCents(amount: number): number {
  return Math.sign(amount) * Math.round(Math.abs(amount)) || 0;
}

/** The debits that the lines of an issued invoice leave on an item. */
export function debitsOf(lines: readonly InvoiceLine[], item: string): Debit[] {
  return lines
    .filter(({ sim, amount }) => sim.item === item && amount >= 0)
    .map(({ id, invoice, amount, discount_amounts, quantity, period, sim }) => ({
      invoice,
      line: id,
      net: amount - discount_amounts.reduce((sum, each) => sum + each.amount, 0),
      quantity,
      price: sim.price,
      ...period,
    }));
}

function lineOf(
  subscription: Subscription,
  item: SubscriptionItem,
  price: Price,
  { amount, quantity, description, period, isProration, credited }: LineOrder,
): InvoiceLine {
  const details = credited
    ? { credited_items: { invoice: credited.invoice, invoice_line_items: [credited.line] } }
    : { credited_items: null };
  return {
    id: newId("il"),
    object: "line_item",
    amount,
    currency: price.currency,
    description,
    discount_amounts: [],
    // What is given back is net of its discounts already.
    discountable: !credited,
    discounts: [],
    invoice: "",
    livemode: false,
    metadata: { ...subscription.metadata },
    parent: {
      type: "subscription_item_details",
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: isProration ? newId("ii") : null,
        proration: isProration,
        proration_details: isProration ? details : null,
        subscription: subscription.id,
        subscription_item: item.id,
      },
    },
    period,
    pricing: {
      type: "price_details",
      price_details: { price: price.id, product: price.product },
      unit_amount_decimal: price.unit_amount_decimal ?? (quantity === 0 ? "0" : String(amount / quantity)),
    },
    quantity,
    quantity_decimal: String(quantity),
    subscription: subscription.id,
    subtotal: amount,
    taxes: [],
    sim: { price: price.id, item: item.id, isProration },
    ...{ pretax_credit_amounts: [] },
  };
}

function wordsFor({ unit_amount, currency, recurring }: Price): string {
  const every =
    recurring?.interval_count === 1
      ? recurring.interval
      : `${recurring?.interval_count} ${recurring?.interval}s`;
  const symbol = currency === "usd" ? "$" : `${currency.toUpperCase()} `;
  return unit_amount === null ? `tiers / ${every}` : `${symbol}${(unit_amount / 100).toFixed(2)} / ${every}`;
}

function dayOf(at: number): string {
  const form = { day: "2-digit", month: "short", year: "numeric", timeZone: "UTC" } as const;
  return new Date(at * 1000).toLocaleDateString("en-GB", form);
}

/** The period of an item that begins at a moment, counted from the anchor of its subscription. */
export function periodFrom(price: Price, anchor: number, at: number): Period {
  const recurring = price.recurring ?? { interval: "month", interval_count: 1 };
  if (at === anchor) return { start: at, end: boundary(anchor, recurring, 1) };
  let count = 1;
  while (boundary(anchor, recurring, count) <= at) count += 1;
  return { start: at, end: boundary(anchor, recurring, count) };
}
