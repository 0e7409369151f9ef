import { itemWords } from "#app/copy/checkout.ts";
import { subscriptionsCopy as copy } from "#app/copy/subscriptions.ts";
import type { PlatformStatus, SubscriptionView } from "#app/money/billing-queries.ts";
import { compareSubscriptions, isEnded } from "#app/money/status-words.ts";
import { centsOf } from "#app/money/usd.ts";

/** A platform with a trial or a subscription, as a line of the page. */
export type SubscriptionRow = {
  platform: string;
  label: string;
  status: PlatformStatus;
  subscription: SubscriptionView;
};

/** The lines of the page, the worst first (spec B-051). Platforms that were never started have none. */
export function rowsOf(statuses: Readonly<Record<string, PlatformStatus>>): SubscriptionRow[] {
  return Object.entries(statuses)
    .filter(([, { subscription }]) => subscription.type !== "no-sub")
    .map(([platform, status]) => ({
      platform,
      label: status.subscription.platformName,
      status,
      subscription: status.subscription,
    }))
    .sort((a, b) => compareSubscriptions(a.subscription, b.subscription));
}

/** What a platform may do, as the frame around the page knows it. */
type Granted = {
  id: string;
  label: string;
  plan: { plan: string; isActive: boolean; endsAt: number | null; itemLimit: number };
};

/**
 * The states with those plans that were not bought by card, e.g. agreed on with us: they run without a subscription at
 * the payment provider, so they have no cost and cannot be cancelled here.
 */
export function withGranted(
  statuses: Readonly<Record<string, PlatformStatus>>,
  platforms: readonly Granted[],
): Record<string, PlatformStatus> {
  const all = { ...statuses };
  for (const { id, label, plan } of platforms) {
    const status = all[id];
    if (!status || status.subscription.type === "subscription") continue;
    if (plan.plan !== "essential" && plan.plan !== "pro") continue;
    const isPro = plan.plan === "pro";
    all[id] = {
      ...status,
      subscription: {
        ...status.subscription,
        ...{ type: "subscription", platformName: label, status: plan.isActive ? "active" : "inactive" },
        ...{ planName: isPro ? "Pro" : "Essential", plan: isPro ? "pro_plan" : "essential" },
        ...{ quantity: plan.itemLimit, planQuantity: plan.itemLimit, finishDateInMillisecond: plan.endsAt },
      },
    };
  }
  return all;
}

/** "GitHub Pro". */
export function titleOf({ label, subscription }: SubscriptionRow): string {
  return subscription.planName ? `${label} ${subscription.planName}` : label;
}

/** "46 repositories". */
export const usedText = ({ platform, status }: SubscriptionRow): string =>
  itemsText(platform, status.addedItemsQuantity);

function itemsText(platform: string, count: number): string {
  const [one, many] = itemWords(platform);
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}

/** What happens when, and a note. `day` writes a date. */
export function whenTexts(
  { platform, subscription }: SubscriptionRow,
  day: (at: number) => string,
): { what: string; note: string } {
  const { removed } = subscription;
  if (removed !== null)
    return {
      what: copy.when.removed(day(removed.at)),
      note: copy.when.removedNote(itemsText(platform, removed.items), removed.versions),
    };
  const { status, isCancel, isAnnual, finishDateInMillisecond: end, rightEnds, removedAt } = subscription;
  const words = copy.when;
  if (isEnded(status))
    return removedAt === null
      ? { what: words.over, note: end === null ? "" : day(end) }
      : { what: words.versions(day(removedAt)), note: words.versionsNote };
  if (status === "trialing")
    return { what: words.trialEnds(end === null ? "" : day(end)), note: words.trialNote };
  if (status === "past_due" && rightEnds !== null)
    return { what: words.runs(day(rightEnds)), note: words.runsNote };
  if (status === "past_due" || status === "unpaid")
    return {
      what: words.paused,
      note: removedAt === null ? words.pausedNote : words.versions(day(removedAt)),
    };
  if (status === "incomplete") return { what: words.open, note: words.openNote };
  if (status !== "active") return { what: words.contact, note: words.contactNote };
  if (subscription.moneyBack !== null) {
    const trialEnd = rightAfter(subscription);
    const what = trialEnd === null ? words.returned : words.trialEnds(day(trialEnd));
    return { what, note: words.returnedNote };
  }
  if (end === null) return { what: "", note: words.renewsNote(isAnnual) };
  if (isCancel) return { what: words.stops(day(end)), note: words.stopsNote };
  return { what: words.renews(day(end)), note: words.renewsNote(isAnnual) };
}

/** When the right ends that stays although the payment was given back, e.g. a trial's; null when none does. */
export function rightAfter({ rightEnds, moneyBack }: SubscriptionView): number | null {
  return rightEnds !== null && moneyBack !== null && rightEnds > moneyBack ? rightEnds : null;
}

/** The next invoice that comes by itself; null when nothing renews. */
export function nextInvoice(rows: readonly SubscriptionRow[]) {
  const renewing = rows.filter(
    ({ subscription: { status, isCancel, cost, finishDateInMillisecond } }) =>
      status === "active" && !isCancel && cost !== null && finishDateInMillisecond !== null,
  );
  const [first, ...rest] = renewing;
  if (!first) return null;
  const end = (row: SubscriptionRow) => row.subscription.finishDateInMillisecond ?? 0;
  const next = rest.reduce((soonest, row) => (end(row) < end(soonest) ? row : soonest), first);
  return { row: next, at: end(next), cents: centsOf(next.subscription.cost ?? 0) };
}

/** What all apps cost in a month, and what is left when the next cancelled one has stopped. */
export function monthlySum(rows: readonly SubscriptionRow[]) {
  const monthly = ({ subscription: { cost, isAnnual } }: SubscriptionRow) =>
    Math.round(centsOf(cost ?? 0) / (isAnnual ? 12 : 1));
  const running = rows.filter(
    ({ subscription: { status, type } }) =>
      type === "subscription" && (status === "active" || status === "past_due"),
  );
  const cents = running.reduce((sum, row) => sum + monthly(row), 0);
  const ending = running
    .filter(({ subscription }) => subscription.isCancel && subscription.finishDateInMillisecond !== null)
    .sort(
      (a, b) => (a.subscription.finishDateInMillisecond ?? 0) - (b.subscription.finishDateInMillisecond ?? 0),
    )[0];
  return {
    cents,
    after: ending
      ? {
          cents: cents - monthly(ending),
          label: ending.label,
          at: ending.subscription.finishDateInMillisecond ?? 0,
        }
      : null,
  };
}

/** Days for which everything stays after the end of a subscription (spec/README "Grace"). */
const GRACE_MS = 30 * 86_400_000;

/** One line of the calendar of a cancellation. `at` null: the end is not known. */
export type CalendarLine = { word: "until" | "on"; at: number | null; what: string; note: string };

/** What stops when, if a subscription is cancelled now. */
export function cancelCalendar(row: SubscriptionRow): CalendarLine[] {
  const { isAnnual, periodHours, finishDateInMillisecond: end } = row.subscription;
  const removed = end === null ? null : end + GRACE_MS;
  const words = copy.cancel;
  return [
    { word: "until", at: end, what: words.runs(periodHours), note: words.runsNote(isAnnual) },
    { word: "on", at: end, what: words.stop(usedText(row)), note: words.stopNote },
    { word: "until", at: removed, what: words.kept, note: words.keptNote },
    { word: "on", at: removed, what: words.removed, note: words.removedNote },
  ];
}
