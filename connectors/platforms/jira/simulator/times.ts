const MINUTE_MS = 60_000;

/** A zone's distance from UTC at a moment, in minutes. */
function offsetMinutes(at: number, timeZone: string): number {
  const text = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" })
    .formatToParts(at)
    .find(({ type }) => type === "timeZoneName")?.value;
  const match = /GMT([+-])(\d\d):(\d\d)/.exec(text ?? "");
  if (!match) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return match[1] === "-" ? -minutes : minutes;
}

/** A moment as Jira writes it, in the zone of whoever asks: `2026-11-26T09:30:00.000+0100`. */
export function jiraTime(at: number, timeZone: string): string {
  const offset = offsetMinutes(at, timeZone);
  const local = new Date(at + offset * MINUTE_MS).toISOString().slice(0, -1);
  const size = Math.abs(offset);
  const pad = (value: number) => String(value).padStart(2, "0");
  return `${local}${offset < 0 ? "-" : "+"}${pad(Math.floor(size / 60))}${pad(size % 60)}`;
}

/**
 * Reads a moment that a client sends, e.g. when work started. Jira's form is `2026-11-26T09:30:00.000+0100`; the
 * fraction and the zone are required.
 */
export function readJiraTime(text: unknown): number | null {
  if (typeof text !== "string") return null;
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})([+-]\d\d)(\d\d)$/.exec(text);
  const at = match ? Date.parse(`${match[1]}${match[2]}:${match[3]}`) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

/** Reads `yyyy-MM-dd`, or null. */
export function readDate(text: unknown): string | null {
  if (typeof text !== "string" || !/^\d{4}-\d\d-\d\d$/.test(text)) return null;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text) ? text : null;
}

/** The moment of a local time in a zone. */
export function momentIn(timeZone: string, local: string): number {
  const asUtc = Date.parse(`${local}Z`);
  return asUtc - offsetMinutes(asUtc - offsetMinutes(asUtc, timeZone) * MINUTE_MS, timeZone) * MINUTE_MS;
}

const UNITS: Record<string, number> = { w: 5 * 8 * 3600, d: 8 * 3600, h: 3600, m: 60 };

/** Seconds of `1d 2h 30m`, with days of eight hours and weeks of five days; null = no such time. */
export function readDuration(text: unknown): number | null {
  if (typeof text !== "string") return null;
  const parts = text.trim().split(/\s+/);
  let seconds = 0;
  for (const part of parts) {
    const match = /^(\d+(?:\.\d+)?)([wdhm])$/.exec(part);
    if (!match) return null;
    seconds += Number(match[1]) * UNITS[match[2]!]!;
  }
  return Math.round(seconds);
}

/** `1d 2h 30m`; `0m` for nothing. */
export function showDuration(seconds: number): string {
  let rest = seconds;
  const parts: string[] = [];
  for (const [unit, size] of Object.entries(UNITS)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count}${unit}`);
  }
  return parts.join(" ") || "0m";
}
