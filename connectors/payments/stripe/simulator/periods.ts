import type { Interval } from "./things/catalogue.ts";

type Recurring = { interval: Interval; interval_count: number };
type Period = { start: number; end: number };

const DAY = 86_400;

/**
 * The boundary `count` intervals after the anchor. Months are counted from the anchor, so that its day returns after a
 * shorter month: 31 January, 28 February, 31 March (docs.stripe.com/billing/subscriptions/billing-cycle).
 */
export function boundary(anchor: number, { interval, interval_count }: Recurring, count: number): number {
  const steps = count * interval_count;
  if (interval === "day") return anchor + steps * DAY;
  if (interval === "week") return anchor + steps * 7 * DAY;
  return addMonths(anchor, interval === "year" ? steps * 12 : steps);
}

/** The same day and time some months later, or the last day of a shorter month. */
export function addMonths(at: number, months: number): number {
  const date = new Date(at * 1000);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return Math.floor(date.getTime() / 1000);
}

/** The period around a moment, counted from the anchor. */
export function periodAt(anchor: number, recurring: Recurring, at: number): Period {
  const length = boundary(anchor, recurring, 1) - anchor;
  // A guess that is never too late, for months have different lengths.
  let count = Math.floor((at - anchor) / (length + 4 * DAY)) - 1;
  if (recurring.interval === "day" || recurring.interval === "week")
    count = Math.floor((at - anchor) / length);
  while (boundary(anchor, recurring, count + 1) <= at) count += 1;
  return { start: boundary(anchor, recurring, count), end: boundary(anchor, recurring, count + 1) };
}
