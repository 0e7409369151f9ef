import { rememberDebits } from "./change.ts";
import { defaultMethod, dropPending, endSubscription, expireIncomplete, payInvoice } from "./collect.ts";
import { periodEndOf } from "./create-subscription.ts";
import { draftInvoice } from "./draft-invoice.ts";
import { emit, emitUpdate } from "./events.ts";
import { finalizeInvoice, issueDraft } from "./invoices.ts";
import { periodLines } from "./lines.ts";
import { periodAt } from "./periods.ts";
import { plain } from "./render.ts";
import type { StripeWorld } from "./state.ts";
import { get } from "./store.ts";
import type { Invoice, Subscription } from "./things/subscriptions.ts";

const FIRST_PAYMENT_SECONDS = 23 * 3_600;
/** A draft whose event no endpoint takes (docs.stripe.com/invoicing/integration/workflow-transitions). */
const LONGEST_DRAFT_SECONDS = 72 * 3_600;
const UPCOMING_SECONDS = 7 * 86_400;
/** More steps than any advance of two intervals has. */
const MOST_STEPS = 20_000;

type Due = { at: number; run(): void };

/**
 * Does everything that falls due up to a moment, in its order and each at its own time: renewals, drafts that are
 * finalised, retries, expiries (docs.stripe.com/billing/testing/test-clocks).
 * @param testClock only what belongs to this test clock; null = what belongs to none
 */
export function runUntil(world: StripeWorld, until: number, testClock: string | null): void {
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const next = nextDue(world, testClock);
    if (next === null || next.at > until) return;
    world.moment = next.at;
    try {
      next.run();
    } finally {
      world.moment = null;
    }
    world.save();
  }
  throw new Error("The clock was moved by more than can happen.");
}

function nextDue(world: StripeWorld, testClock: string | null): Due | null {
  let first: Due | null = null;
  const offer = (at: number | null, run: () => void) => {
    if (at !== null && (first === null || at < first.at)) first = { at, run };
  };
  for (const subscription of Object.values(world.state.tables.subscription)) {
    if (subscription.test_clock === testClock) offerSubscription(world, subscription, offer);
  }
  for (const invoice of Object.values(world.state.tables.invoice)) {
    if (invoice.test_clock === testClock) offerInvoice(world, invoice, offer);
  }
  return first;
}

type Offer = (at: number | null, run: () => void) => void;

function offerSubscription(world: StripeWorld, subscription: Subscription, offer: Offer): void {
  const { status, pending_update: pending, cancel_at: end } = subscription;
  if (status === "canceled" || status === "incomplete_expired") return;
  if (status === "incomplete") {
    offer(subscription.created + FIRST_PAYMENT_SECONDS, () => expireIncomplete(world, subscription));
    return;
  }
  if (pending) offer(pending.expires_at, () => dropPending(world, subscription));
  if (end !== null) offer(end, () => endSubscription(world, subscription, "cancellation_requested"));
  const renewal = periodEndOf(subscription);
  if (end !== null && end <= renewal) return;
  const notice = Math.max(renewal - UPCOMING_SECONDS, subscription.start_date);
  if (subscription.sim.upcomingFor !== renewal) offer(notice, () => announce(world, subscription, renewal));
  offer(renewal, () => renew(world, subscription));
}

function offerInvoice(world: StripeWorld, invoice: Invoice, offer: Offer): void {
  if (invoice.status === "draft" && invoice.automatically_finalizes_at !== null) {
    const at = invoice.automatically_finalizes_at;
    offer(isUnanswered(world, invoice) ? invoice.created + LONGEST_DRAFT_SECONDS : at, () =>
      advanceDraft(world, invoice),
    );
  }
  if (invoice.status !== "open") return;
  const isRetried = invoice.next_payment_attempt !== null && invoice.collection_method !== "send_invoice";
  if (isRetried) offer(invoice.next_payment_attempt, () => payByDefault(world, invoice));
  const subscription = get(world, "subscription", invoice.sim.subscription);
  if (
    invoice.due_date !== null &&
    subscription.status === "active" &&
    subscription.latest_invoice === invoice.id
  ) {
    offer(invoice.due_date, () => {
      const before = plain(world, subscription);
      subscription.status = "past_due";
      emit(world, "invoice.overdue", invoice);
      emitUpdate(world, "customer.subscription.updated", subscription, before);
    });
  }
}

/** An endpoint that wants `invoice.created` and has not taken it yet delays the invoice. */
function isUnanswered(world: StripeWorld, invoice: Invoice): boolean {
  return world.state.deliveries.some(
    ({ type, state, body }) =>
      type === "invoice.created" &&
      state !== "sent" &&
      (JSON.parse(body) as { data: { object: { id: string } } }).data.object.id === invoice.id,
  );
}

function announce(world: StripeWorld, subscription: Subscription, renewal: number): void {
  subscription.sim.upcomingFor = renewal;
  const upcoming = upcomingInvoice(world, subscription);
  emit(world, "invoice.upcoming", { ...upcoming, ...{ next_payment_attempt: renewal + 3_600 } });
}

/** The invoice of the next period, as it would be now. Nothing changes. */
export function upcomingInvoice(
  world: StripeWorld,
  subscription: Subscription,
  isRecurringOnly = false,
): Invoice {
  const renewal = periodEndOf(subscription);
  const pending = isRecurringOnly ? [] : structuredClone(subscription.sim.pendingLines);
  const lines = subscription.items.data
    .filter((item) => item.current_period_end === renewal)
    .flatMap((item) => {
      const price = get(world, "price", item.price);
      const recurring = price.recurring ?? { interval: "month", interval_count: 1 };
      return periodLines(
        world,
        subscription,
        item,
        periodAt(subscription.billing_cycle_anchor, recurring, renewal),
      );
    });
  return draftInvoice(world, subscription, {
    reason: "upcoming",
    lines: [...pending, ...lines],
    at: renewal,
  });
}

/** Begins a new period: the invoice is a draft for an hour and nothing is paid before. */
function renew(world: StripeWorld, subscription: Subscription): void {
  const at = periodEndOf(subscription);
  const before = plain(world, subscription);
  const due = subscription.items.data.filter((item) => item.current_period_end === at);
  for (const item of due) {
    const price = get(world, "price", item.price);
    const recurring = price.recurring ?? { interval: "month", interval_count: 1 };
    const { end } = periodAt(subscription.billing_cycle_anchor, recurring, at);
    item.current_period_start = at;
    item.current_period_end = end;
  }
  if (subscription.status === "trialing") subscription.status = "active";
  const lines = due.flatMap((item) =>
    periodLines(world, subscription, item, { start: at, end: item.current_period_end }),
  );
  const invoice = draftInvoice(world, subscription, {
    reason: "subscription_cycle",
    lines: [...subscription.sim.pendingLines, ...lines],
    at,
  });
  subscription.sim.pendingLines = [];
  rememberDebits(
    due,
    invoice.lines.data.filter(({ sim }) => !sim.isProration),
  );
  issueDraft(world, subscription, invoice);
  if (subscription.status === "unpaid") {
    // Nobody is charged for what they were not given (billing/subscriptions/overview#subscription-statuses).
    invoice.auto_advance = false;
    invoice.automatically_finalizes_at = null;
    invoice.next_payment_attempt = null;
  }
  emitUpdate(world, "customer.subscription.updated", subscription, before);
}

function advanceDraft(world: StripeWorld, invoice: Invoice): void {
  const subscription = get(world, "subscription", invoice.sim.subscription);
  finalizeInvoice(world, invoice, subscription);
  if (invoice.collection_method === "send_invoice" && invoice.amount_due > 0) {
    emit(world, "invoice.sent", invoice);
    return;
  }
  payByDefault(world, invoice);
}

function payByDefault(world: StripeWorld, invoice: Invoice): void {
  const subscription = get(world, "subscription", invoice.sim.subscription);
  payInvoice(world, invoice, { method: defaultMethod(world, subscription), isOffSession: true });
}
