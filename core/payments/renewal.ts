/**
 * The end of a period that begins at `from`: the same day and time a month or a year later, or the last day of a shorter
 * month (docs.stripe.com/billing/subscriptions/billing-cycle; spec B-314, B-315).
 */
export function renewalAfter(from: number, period: "month" | "year"): number {
  const start = new Date(from);
  const months = start.getUTCMonth() + (period === "year" ? 12 : 1);
  const lastDay = new Date(Date.UTC(start.getUTCFullYear(), months + 1, 0)).getUTCDate();
  return Date.UTC(
    start.getUTCFullYear(),
    months,
    Math.min(start.getUTCDate(), lastDay),
    start.getUTCHours(),
    start.getUTCMinutes(),
    start.getUTCSeconds(),
  );
}
