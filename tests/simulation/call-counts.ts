import { SECOND_MS } from "#core/kernel/clock.ts";

/** Trello's limit for one token: calls within its window ("Rate limits" in its documentation). */
const MOST = 100;
/** While somebody connects, a call is made before the account is known whose budget it draws on. */
const UNKNOWN = 1;
const WINDOW_MS = 10 * SECOND_MS;
/** Between the grant of a call and the call itself some time may pass. */
const TOLERANCE_MS = SECOND_MS;
/** Calls that were granted before the platform asked us to wait may still be under way. */
const UNDER_WAY = 8;

/** Counts the calls to the platform, apart from the product's own count. */
export type CallCounts = {
  /** @param isToldInTime False on days on which the actor that counts for the product is slow or often fails. */
  count(url: string, now: number, isToldInTime: boolean): void;
  /** The platform has asked us not to call until then. */
  forbidUntil(at: number): void;
  /** Broken limits since the last question, one sentence each. */
  faults(): string[];
  total(): number;
};

/** Opens a count. */
export function openCallCounts(): CallCounts {
  let recent: number[] = [];
  let found: string[] = [];
  let total = 0;
  let forbidden = { from: 0, until: 0, calls: 0 };
  let now = 0;
  return {
    count(url, at, isToldInTime) {
      now = at;
      // Sign-in and downloads have no part in this limit.
      if (!new URL(url).pathname.startsWith("/1/")) return;
      total += 1;
      recent = recent.filter((time) => time > at - WINDOW_MS + TOLERANCE_MS);
      recent.push(at);
      if (isToldInTime && recent.length > MOST + UNKNOWN)
        found.push(`${recent.length} calls to the platform within ${WINDOW_MS} ms`);
      if (isToldInTime && at < forbidden.until && at > forbidden.from + TOLERANCE_MS) {
        forbidden.calls += 1;
        if (forbidden.calls > UNDER_WAY)
          found.push(`${forbidden.calls} calls although the platform asked us to wait`);
      }
    },
    forbidUntil(until) {
      if (now >= forbidden.until) forbidden = { from: now, until, calls: 0 };
      else forbidden.until = Math.max(forbidden.until, until);
    },
    faults() {
      const said = [...new Set(found)].slice(0, 3);
      found = [];
      return said;
    },
    total: () => total,
  };
}
