/** Dates as the ledger prints them, always in the member's time zone so that server and browser draw the same. */

/** "20 Nov", with the year where it is not the year of `now`. */
export function formatDay(at: number, timeZone: string, now: number): string {
  const isOtherYear = part(at, timeZone, { year: "numeric" }) !== part(now, timeZone, { year: "numeric" });
  return part(at, timeZone, {
    day: "numeric",
    month: "short",
    ...(isOtherYear ? { year: "numeric" } : {}),
  });
}

/** "02:14" */
export function formatTime(at: number, timeZone: string): string {
  return part(at, timeZone, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}

/** "20 Nov 02:14" */
export function formatDayTime(at: number, timeZone: string, now: number): string {
  return `${formatDay(at, timeZone, now)} ${formatTime(at, timeZone)}`;
}

/** "20 Nov 2026 02:14" */
export function formatFullTime(at: number, timeZone: string): string {
  return `${part(at, timeZone, { day: "numeric", month: "short", year: "numeric" })} ${formatTime(at, timeZone)}`;
}

/** The calendar day as `YYYY-MM-DD`: the key under which a ledger prints a date once. */
export function dayKey(at: number, timeZone: string): string {
  const parts = new Map(
    formatter("en-GB", timeZone, { year: "numeric", month: "2-digit", day: "2-digit" })
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  return `${parts.get("year")}-${parts.get("month")}-${parts.get("day")}`;
}

/** A `YYYY-MM-DD` as "20 Nov", or "20 Nov 2025" when a year is wanted. */
export function formatDateKey(key: string, options: { withYear: boolean } = { withYear: false }): string {
  const at = Date.parse(`${key}T12:00:00Z`);
  return part(at, "UTC", {
    day: "numeric",
    month: "short",
    ...(options.withYear ? { year: "numeric" } : {}),
  });
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Building a formatter costs more than using it a hundred times; a list needs the same few again and again. */
function formatter(
  locale: string,
  timeZone: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = `${locale}|${timeZone}|${JSON.stringify(options)}`;
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat(locale, { ...options, timeZone });
  formatters.set(key, made);
  return made;
}

/** British order, but "Sep" rather than its four-letter "Sept", so that columns keep their width. */
function part(at: number, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  return formatter("en-GB", timeZone, options).format(at).replace("Sept", "Sep");
}
