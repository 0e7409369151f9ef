import { refused } from "./errors.ts";
import { creditLines, debitsOf, periodFrom, periodLines, remainingLines } from "./lines.ts";
import { periodAt } from "./periods.ts";
import type { StripeWorld } from "./state.ts";
import { get, newId } from "./store.ts";
import type { Price } from "./things/catalogue.ts";
import type { InvoiceLine, Subscription, SubscriptionItem } from "./things/subscriptions.ts";

/** What a call says about one item. */
export type ItemOrder = {
  id?: string | undefined;
  price?: string | undefined;
  quantity?: number | undefined;
  deleted?: boolean | undefined;
  metadata?: Record<string, string> | null | undefined;
};
export type ProrationBehavior = "always_invoice" | "create_prorations" | "none";
/** A change of items or of the billing cycle. `at` = the second to which everything is prorated. */
export type ChangeOrder = {
  items: readonly ItemOrder[];
  at: number;
  now: number;
  proration: ProrationBehavior;
  isAnchoredNow: boolean;
};
/** What a change makes of a subscription, and the lines that it is billed with. Nothing has changed yet. */
export type Change = {
  items: SubscriptionItem[];
  lines: InvoiceLine[];
  anchor: number;
  isNewPeriod: boolean;
  /** Whether an invoice follows at once; otherwise the lines wait for the next period. */
  isBilledNow: boolean;
};

/** Plans a change, for its preview and for itself. @throws StripeFault for items that are not of the subscription */
export function planChange(world: StripeWorld, subscription: Subscription, order: ChangeOrder): Change {
  const known = subscription.items.data;
  for (const { id } of order.items) {
    if (id !== undefined && !known.some((item) => item.id === id)) {
      throw refused(`No such subscription item: '${id}'`, { code: "resource_missing", param: "items" });
    }
  }
  const anchor = order.isAnchoredNow ? order.now : subscription.billing_cycle_anchor;
  const kept = known.flatMap((item) => {
    const asked = order.items.find(({ id }) => id === item.id) ?? {};
    return [changeItem(world, subscription, item, asked, order, anchor)];
  });
  const added = order.items
    .filter(({ id }) => id === undefined)
    .map((asked) => {
      const item = newItem(world, subscription, asked, order.at);
      return changeItem(world, subscription, item, asked, order, anchor, true);
    });
  const all = [...kept, ...added];
  const items = all.flatMap(({ item }) => (item === null ? [] : [item]));
  const isOtherPeriod = items.some(
    ({ id, current_period_end: end }) => known.find((item) => item.id === id)?.current_period_end !== end,
  );
  return {
    items,
    lines: [...all.flatMap(({ credits }) => credits), ...all.flatMap(({ debits }) => debits)],
    anchor,
    isNewPeriod: order.isAnchoredNow,
    isBilledNow: order.proration === "always_invoice" || order.isAnchoredNow || isOtherPeriod,
  };
}

type Changed = { item: SubscriptionItem | null; credits: InvoiceLine[]; debits: InvoiceLine[] };

function changeItem(
  world: StripeWorld,
  subscription: Subscription,
  item: SubscriptionItem,
  asked: ItemOrder,
  { at, now, proration, isAnchoredNow }: ChangeOrder,
  anchor: number,
  isAdded = false,
): Changed {
  // Who has a price that is no longer sold keeps it, with any quantity.
  const isKept = asked.price === undefined || asked.price === item.price;
  const price =
    isKept && !isAdded
      ? get(world, "price", item.price)
      : pricedIn(world, asked.price ?? item.price, subscription.currency);
  const next: SubscriptionItem = {
    ...structuredClone(item),
    price: price.id,
    quantity: asked.quantity ?? item.quantity,
    metadata: { ...item.metadata, ...asked.metadata },
  };
  const isSame = !isAdded && next.price === item.price && next.quantity === item.quantity && !asked.deleted;
  if (isSame && !isAnchoredNow) return { item: next, credits: [], debits: [] };
  const isTrial = subscription.status === "trialing";
  const credits = proration === "none" || isTrial ? [] : creditLines(world, subscription, item, at);
  if (asked.deleted) return { item: null, credits, debits: [] };
  if (isAnchoredNow) {
    const period = periodFrom(price, anchor, now);
    const debits = periodLines(world, subscription, next, period);
    return { item: placed(next, period, debits), credits, debits };
  }
  if (isTrial) return { item: next, credits, debits: [] };
  const whole = periodAt(anchor, price.recurring ?? { interval: "month", interval_count: 1 }, at);
  const isOtherLength = whole.end !== item.current_period_end;
  const period = isOtherLength ? { start: at, end: whole.end } : periodOf(item);
  if (proration === "none") return { item: placed(next, period, null), credits, debits: [] };
  const debits = remainingLines(world, subscription, next, { at, whole });
  return { item: placed(next, period, debits), credits, debits };
}

const periodOf = (item: SubscriptionItem) => ({
  start: item.current_period_start,
  end: item.current_period_end,
});

function placed(
  item: SubscriptionItem,
  { start, end }: { start: number; end: number },
  debits: InvoiceLine[] | null,
): SubscriptionItem {
  item.current_period_start = start;
  item.current_period_end = end;
  // Without prorations nothing new was billed for this period, so what was stays what a later change gives back.
  if (debits !== null) item.sim.debits = debitsOf(debits, item.id);
  return item;
}

/** Completes the debits of changed items once discounts and the invoice's id are known. */
export function rememberDebits(items: readonly SubscriptionItem[], lines: readonly InvoiceLine[]): void {
  for (const item of items) {
    const debits = debitsOf(
      lines.filter(({ amount, discountable }) => discountable || amount > 0),
      item.id,
    );
    if (debits.length > 0) item.sim.debits = debits;
  }
}

/** A new item of a subscription, without a bill yet. */
export function newItem(
  world: StripeWorld,
  subscription: Pick<Subscription, "id" | "currency" | "billing_cycle_anchor">,
  { price, quantity = 1, metadata }: ItemOrder,
  at: number,
): SubscriptionItem {
  if (price === undefined)
    throw refused("Missing required param: items[0][price].", { code: "parameter_missing" });
  const found = pricedIn(world, price, subscription.currency);
  const recurring = found.recurring ?? { interval: "month", interval_count: 1 };
  const { end } = periodAt(subscription.billing_cycle_anchor, recurring, at);
  return {
    id: newId("si", 14),
    object: "subscription_item",
    created: at,
    current_period_start: at,
    current_period_end: end,
    metadata: metadata ?? {},
    plan: null,
    price: found.id,
    quantity,
    subscription: subscription.id,
    sim: { debits: [] },
    ...{ billing_thresholds: null, current_trial: null, discounts: [], tax_rates: [] },
  };
}

/** @throws StripeFault for a price that is missing, inactive, not recurring or in another currency */
function pricedIn(world: StripeWorld, id: string, currency: string): Price {
  const price = get(world, "price", id);
  const param = "items[0][price]";
  if (!price.active)
    throw refused(`The price specified is inactive. This field only accepts active prices.`, { param });
  if (price.recurring === null) {
    throw refused(
      "The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.",
      { param },
    );
  }
  if (price.currency !== currency) {
    throw refused(
      `The price specified only supports \`${price.currency}\`. This doesn't match the expected currency: \`${currency}\`.`,
      { param },
    );
  }
  return price;
}
