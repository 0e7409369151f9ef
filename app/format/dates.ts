/** English, so that it is the same on server and browser. */
const FORMS = {
  parts: [
    "en-US",
    {
      year: "numeric",
      month: "numeric",
      day: "numeric",
      weekday: "short",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    },
  ],
  longDate: ["en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric" }],
} as const;
/** Our own names, so that every browser shows those of the server. */
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const formatters = new Map<string, Intl.DateTimeFormat>();

/**
 * A formatter is made once: making one takes a browser several milliseconds, and a list shows hundreds of dates. So all
 * short texts come from the parts of one.
 */
function formatterOf(form: keyof typeof FORMS, timeZone: string): Intl.DateTimeFormat {
  const key = `${form} ${timeZone}`;
  let formatter = formatters.get(key);
  if (!formatter) {
    const [locale, options] = FORMS[form];
    formatter = new Intl.DateTimeFormat(locale, { ...options, timeZone });
    formatters.set(key, formatter);
  }
  return formatter;
}

type Parts = Record<"year" | "monthNumber" | "month" | "day" | "weekday" | "hour" | "minute", string>;

/** The parts of an instant in a time zone. */
function partsOf(at: number, timeZone: string): Parts {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of formatterOf("parts", timeZone).formatToParts(at)) parts[type] = value;
  return { ...parts, monthNumber: parts.month, month: MONTHS[Number(parts.month) - 1] } as Parts;
}

/** "20 Nov", with the year if it differs from that of `now`. */
export function dateText(at: number, timeZone: string, now: number): string {
  const { day, month, year } = partsOf(at, timeZone);
  return year === partsOf(now, timeZone).year ? `${day} ${month}` : `${day} ${month} ${year}`;
}

/** "Fri". */
export function weekdayText(at: number, timeZone: string): string {
  return partsOf(at, timeZone).weekday;
}

/** "14:02". */
export function timeText(at: number, timeZone: string): string {
  const { hour, minute } = partsOf(at, timeZone);
  return `${hour}:${minute}`;
}

/** "14:02:07", for times that share their minute with another one. */
export function secondText(at: number, timeZone: string): string {
  // The offsets of all current time zones are whole minutes.
  const seconds = Math.floor(at / 1000) % 60;
  return `${timeText(at, timeZone)}:${twoDigits(seconds)}`;
}

/**
 * Returns how to show each of these instants: with seconds where two of them have the same minute, otherwise in minutes.
 * The same instant twice is not a repetition.
 */
export function clockOf(instants: readonly number[], timeZone: string): (at: number) => string {
  const distinct = new Set(instants);
  const counts = new Map<number, number>();
  for (const at of distinct) counts.set(minuteOf(at), (counts.get(minuteOf(at)) ?? 0) + 1);
  return (at) => ((counts.get(minuteOf(at)) ?? 0) > 1 ? secondText(at, timeZone) : timeText(at, timeZone));
}

const twoDigits = (value: number | string) => String(value).padStart(2, "0");
const minuteOf = (at: number) => Math.floor(at / 60_000);

/** "20 Nov 2026": where the day is a title. */
export function fullDateText(at: number, timeZone: string): string {
  const { day, month, year } = partsOf(at, timeZone);
  return `${day} ${month} ${year}`;
}

/** "Friday 20 November 2026, 14:02": the moment that a page is about. */
export function longDateTimeText(at: number, timeZone: string): string {
  const date = formatterOf("longDate", timeZone).format(at);
  return `${date.replace(",", "")}, ${timeText(at, timeZone)}`;
}

/** "20 Nov 14:02", with the year if it differs from that of `now`. */
export function dateTimeText(at: number, timeZone: string, now: number): string {
  return `${dateText(at, timeZone, now)} ${timeText(at, timeZone)}`;
}

/** "14:02" on the day of `now`, otherwise "20 Nov 14:02". */
export function momentText(at: number, timeZone: string, now: number): string {
  const isToday = dayKey(at, timeZone) === dayKey(now, timeZone);
  return isToday ? timeText(at, timeZone) : dateTimeText(at, timeZone, now);
}

/** "20 Nov 2026, 14:02 Europe/Berlin": for titles, and where the day alone would be misleading. */
export function fullDateTimeText(at: number, timeZone: string): string {
  const { day, month, year } = partsOf(at, timeZone);
  return `${day} ${month} ${year}, ${timeText(at, timeZone)} ${timeZone}`;
}

/** "12 Nov" for a calendar date `YYYY-MM-DD`, independent of time zones. */
export function calendarDateText(date: string): string {
  const { day, month } = partsOf(Date.parse(`${date}T00:00:00Z`), "UTC");
  return `${day} ${month}`;
}

/** The calendar day of an instant as `YYYY-MM-DD`, the key of a ribbon day. */
export function dayKey(at: number, timeZone: string): string {
  const { year, monthNumber, day } = partsOf(at, timeZone);
  return [year, twoDigits(monthNumber), twoDigits(day)].join("-");
}
