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
  /**
   * @param told `isToldInTime` is false on days when the actor that counts the calls is slow or often fails.
   *   `granted`: when each budget last granted the caller a call. A call asks one budget after the other, and so they learn
   *   of a pause.
   */
  count(
    url: string,
    now: number,
    told: { isToldInTime: boolean; granted: ReadonlyMap<string, number> },
  ): void;
  /** A budget has noted that nobody must call until then. It may grant nothing from now on. */
  pause(budget: string, from: number, until: number): void;
  /** The platform has asked us in answer to this call not to call until then. */
  forbidUntil(url: string, at: number): void;
  /** Something else is wrong with the calls. */
  complain(fault: string): void;
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
  const pauses = new Map<string, { from: number; until: number }>();
  let now = 0;
  // Sign-in and downloads have no part in the limits.
  const isLimited = (url: string) => new URL(url).pathname.startsWith("/1/");
  return {
    count(url, at, { isToldInTime, granted }) {
      now = at;
      if (!isLimited(url)) return;
      total += 1;
      for (const [budget, grantedAt] of granted) {
        const paused = pauses.get(budget);
        if (paused && grantedAt > paused.from && grantedAt < paused.until)
          found.push("a call to the platform was granted in a pause that the platform had asked for");
      }
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
    pause(budget, from, until) {
      if (until <= from) return;
      const paused = pauses.get(budget);
      const isLonger = paused !== undefined && from < paused.until;
      pauses.set(budget, isLonger ? { ...paused, until: Math.max(paused.until, until) } : { from, until });
    },
    forbidUntil(url, until) {
      if (!isLimited(url)) return;
      if (now >= forbidden.until) forbidden = { from: now, until, calls: 0 };
      else forbidden.until = Math.max(forbidden.until, until);
    },
    complain: (fault) => void found.push(fault),
    faults() {
      const said = [...new Set(found)].slice(0, 3);
      found = [];
      return said;
    },
    total: () => total,
  };
}
