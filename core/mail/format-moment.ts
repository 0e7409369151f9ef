/** Formats a time in the reader's time zone, e.g. `3 November 2026 at 09:00 (UTC)`. */
export function formatMoment(at: number, timeZone: string): string {
  return `${new Intl.DateTimeFormat("en-GB", {
    dateStyle: "long",
    timeStyle: "short",
    timeZone,
  }).format(at)} (${timeZone})`;
}
