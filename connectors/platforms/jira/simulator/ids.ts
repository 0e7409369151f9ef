import { randomBytes, randomUUID } from "node:crypto";
import type { Site } from "./state.ts";

/** Where the numbers of each kind begin. */
const FIRST: Record<string, number> = {
  status: 10_000,
  board: 0,
  sprint: 0,
  role: 10_001,
  priority: 0,
  task: 10_000,
};

/** The next id of a kind at a site: a number as text, which grows. */
export function nextId(site: Site, kind: string): string {
  const next = (site.counters[kind] ?? FIRST[kind] ?? 9_999) + 1;
  site.counters[kind] = next;
  return String(next);
}

/** An Atlassian account id. */
export function newAccountId(): string {
  return `712020:${randomUUID()}`;
}

/** A secret with a prefix, as Atlassian's tokens have. */
export function newSecret(prefix: string, bytes: number): string {
  return prefix + randomBytes(bytes).toString("base64url");
}

/**
 * The rank of the n-th issue as a LexoRank: bucket, six base-36 digits, colon. Ranks between two others have more digits
 * after it.
 */
export function rankOfNumber(number: number): string {
  return `0|i${number.toString(36).padStart(5, "0")}:`;
}

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";

/**
 * A rank strictly between two; null = open end. Ranks compare as text.
 * @throws Error when `before` is not less than `after`
 */
export function rankBetween(before: string | null, after: string | null): string {
  const low = before === null ? "" : bodyOf(before);
  const high = after === null ? null : bodyOf(after);
  if (high !== null && low >= high) throw new Error(`There is no rank between ${before} and ${after}`);
  const body = between(low, high).padEnd(6, "0");
  return `0|${body.slice(0, 6)}:${body.slice(6)}`;
}

/** A rank without its bucket and without the colon after the first six digits. */
function bodyOf(rank: string): string {
  return rank.slice(2).replace(":", "");
}

function between(low: string, high: string | null): string {
  let shared = "";
  for (let at = 0; ; at += 1) {
    const from = at < low.length ? DIGITS.indexOf(low[at]!) : 0;
    const to = high !== null && at < high.length && high.startsWith(shared) ? DIGITS.indexOf(high[at]!) : 36;
    if (to - from > 1) return shared + DIGITS[Math.floor((from + to) / 2)];
    shared += DIGITS[from]!;
    // Once the prefix is below the upper end, only the lower end counts.
    if (to > from) return shared + above(low.slice(at + 1));
  }
}

/** The shortest text greater than the given one. */
function above(low: string): string {
  for (let at = 0; ; at += 1) {
    const from = at < low.length ? DIGITS.indexOf(low[at]!) : 0;
    if (from < 35) return low.slice(0, at) + DIGITS[Math.ceil((from + 36) / 2)];
  }
}
