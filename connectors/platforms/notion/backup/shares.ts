import { DAY_MS } from "#core/kernel/clock.ts";

/**
 * Days in which every page is looked at as a whole, and all rows are listed. Two less than the promised week, so that the
 * promise also holds when a daily backup was missed.
 */
export const LOOK_DAYS = 5;
/** Days in which the comments on every block are read: two less than the promised thirty. */
export const COMMENT_DAYS = 28;

/** The number of the day. Shares advance by whole days, so that a second backup on a day repeats nothing. */
export function dayOf(nowMs: number): number {
  return Math.floor(nowMs / DAY_MS);
}

/** Whole days since the last backup; 0 before the first one has finished. */
export function elapsedDays(lastDay: string | undefined, today: number): number {
  const last = lastDay === undefined ? today : Number(lastDay);
  return Number.isInteger(last) ? Math.max(0, today - last) : 0;
}

/** How many of `total` things are due after so many days, if all are due in `cycleDays`. */
export function shareOf(total: number, { days, cycleDays }: { days: number; cycleDays: number }): number {
  return Math.min(total, Math.ceil((total * days) / cycleDays));
}
