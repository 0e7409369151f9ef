import type { ProviderSubscription } from "#connectors/contract/payment-provider.ts";
import { findPrice, type PlanName, trialItemsOf } from "#core/billing/index.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { type MoneyBack, NO_MONEY_BACK } from "./corrections.ts";
import type { PendingChange, SubscriptionRow } from "./projection.store.ts";

/*
 * What the provider's subscriptions mean for us. Pure: every value comes from the provider's own fields, so events that
 * are late, doubled or lost end in the same rows (reference: docs.stripe.com/billing/subscriptions/overview).
 */

/** A renewal may be paid up to three days after the period ends: drafts wait, and cards are tried again. */
const RENEWAL_SLACK_MS = 72 * HOUR_MS;
/** A failed renewal is tried again for two weeks; the right lasts as long (spec/README "Past due"). */
export const PAST_DUE_MS = 14 * DAY_MS;

/** A row of the projection; null for a price that is not in the catalogue. */
export function toRow(
  organisationId: string,
  found: ProviderSubscription,
  nextInvoiceCents: number | null,
  back: MoneyBack = NO_MONEY_BACK,
): SubscriptionRow | null {
  const price = found.priceKey === null ? null : findPrice(found.priceKey);
  if (!price) return null;
  const invoice = found.latestInvoice;
  const isOwed = invoice !== null && (invoice.state === "open" || invoice.state === "uncollectible");
  const isEnded = found.endedAt !== null;
  const pending: PendingChange | null = found.pending && {
    priceKey: found.pending.priceKey,
    quantity: found.pending.quantity,
    expiresAt: found.pending.expiresAt,
  };
  return {
    id: found.id,
    organisationId,
    platform: price.platform,
    itemId: found.itemId,
    priceKey: price.key,
    plan: price.plan,
    period: price.period,
    quantity: found.quantity,
    boughtQuantity: found.paidQuantity,
    status: found.state,
    periodStart: found.periodStart,
    periodEnd: found.periodEnd,
    cancelAt: found.cancelAt,
    isCancelledByDate: found.isCancelledByDate,
    endedAt: found.endedAt,
    collectionMethod: found.isInvoiced ? "invoice" : "charge",
    latestInvoiceId: invoice?.id ?? null,
    latestInvoiceStatus: invoice?.state ?? null,
    // Once it has ended, only a renewal that was never paid counts: its period gave no more than the days of grace.
    pastDueSince:
      (isOwed || (isEnded && invoice?.state === "void")) && (!isEnded || invoice.isRenewal)
        ? invoice.finalizedAt
        : null,
    dueAt: isOwed && found.isInvoiced ? invoice.dueAt : null,
    nextAttemptAt: isOwed ? invoice.nextAttemptAt : null,
    attempts: isOwed ? invoice.attempts : 0,
    pendingJson: pending === null ? null : JSON.stringify(pending),
    nextInvoiceCents,
    created: found.createdAt,
    ...back,
  };
}

/** True for a subscription that gives the right to use its platform. */
export const isLive = ({ status }: Pick<SubscriptionRow, "status">): boolean =>
  status === "active" || status === "trialing" || status === "past_due";

/** True for one that may come to life again, so no second one is bought beside it. */
export const isOpen = (row: Pick<SubscriptionRow, "status">): boolean =>
  isLive(row) || row.status === "unpaid" || row.status === "incomplete" || row.status === "paused";

/**
 * Until when a subscription gives its right; null when it never gave one. Money that went back ends what it had paid for.
 */
export function rightEndOf(row: SubscriptionRow): number | null {
  const end = paidEndOf(row);
  return end === null || row.moneyBackAt === null ? end : Math.min(end, row.moneyBackAt);
}

/**
 * The same while nothing goes back. The period of a failed renewal has already moved on, so its end says nothing: the
 * date of the unpaid invoice counts.
 */
function paidEndOf(row: SubscriptionRow): number | null {
  switch (row.status) {
    case "active":
    case "trialing": {
      const end = row.cancelAt ?? row.periodEnd + RENEWAL_SLACK_MS;
      // Paid by bank transfer, it is active before the money is there.
      return row.dueAt === null ? end : Math.min(end, row.dueAt + PAST_DUE_MS);
    }
    case "past_due":
    case "unpaid":
      return (row.pastDueSince ?? row.periodStart) + PAST_DUE_MS;
    case "canceled": {
      // Ending what was not paid for never prolongs the right.
      const end = row.endedAt ?? row.periodEnd;
      return row.pastDueSince === null ? end : Math.min(end, row.pastDueSince + PAST_DUE_MS);
    }
    case "incomplete":
    case "incomplete_expired":
    case "paused":
      return null;
  }
}

/** The entitlement of one platform. */
export type Right = { platform: string; plan: PlanName; quantity: number; endsAt: number };

/**
 * The right of a platform from everything that was bought, and the trial: what is live and paid wins, then whatever ends
 * last. Null = nothing ever gave a right.
 */
export function rightOf(
  platform: string,
  rows: readonly SubscriptionRow[],
  trialEndsAt: number | null,
): Right | null {
  const bought = rows
    .filter((row) => row.platform === platform)
    .flatMap((row) => {
      const endsAt = rightEndOf(row);
      return endsAt === null ? [] : [{ row, endsAt }];
    })
    .map(({ row, endsAt }) => ({
      isLive: isLive(row) && row.moneyBackAt === null,
      right: { platform, plan: row.plan as PlanName, quantity: row.boughtQuantity, endsAt },
      id: row.id,
    }));
  if (trialEndsAt !== null) {
    const right = { platform, plan: "trial" as const, quantity: trialItemsOf(platform), endsAt: trialEndsAt };
    bought.push({ isLive: false, right, id: "" });
  }
  bought.sort(
    (a, b) =>
      Number(b.isLive) - Number(a.isLive) ||
      b.right.endsAt - a.right.endsAt ||
      // Any order that does not depend on how the rows arrived.
      (a.id < b.id ? 1 : -1),
  );
  return bought[0]?.right ?? null;
}

/** The order in which a platform's subscriptions are shown: the one that matters most first. */
const SHOWN: readonly SubscriptionRow["status"][] = [
  "active",
  "trialing",
  "past_due",
  "unpaid",
  "paused",
  "incomplete",
  "canceled",
  "incomplete_expired",
];

/** The subscription of the platform to show and to act on; null when there never was one. */
export function shownOf(platform: string, rows: readonly SubscriptionRow[]): SubscriptionRow | null {
  const own = rows.filter((row) => row.platform === platform);
  own.sort(
    (a, b) =>
      SHOWN.indexOf(a.status) - SHOWN.indexOf(b.status) || b.created - a.created || (a.id < b.id ? 1 : -1),
  );
  return own[0] ?? null;
}
