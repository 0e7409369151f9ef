import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#core/kernel/clock.ts";

/** Maximum delay that we accept from one response; after it we ask again. */
const LONGEST_WAIT_MS = HOUR_MS;
const WAIT_WITHOUT_ADVICE_MS = MINUTE_MS;

/** When a server that is not available wants to be asked again, if it says so (RFC 9110 section 15.6.4). */
export function outage(status: number, headers: Headers, nowMs: number): { retryAt?: number } {
  return status === 503 && headers.has("retry-after") ? { retryAt: retryTime(headers, nowMs) } : {};
}

/** When to retry: Retry-After (RFC 9110 10.2.3) in either form, else the quota's reset, else after a minute. */
export function retryTime(headers: Headers, nowMs: number): number {
  const advised = adviseFromRetryAfter(headers.get("retry-after"), nowMs) ?? adviseFromReset(headers, nowMs);
  const waitMs = advised ?? WAIT_WITHOUT_ADVICE_MS;
  return nowMs + Math.min(Math.max(waitMs, SECOND_MS), LONGEST_WAIT_MS);
}

function adviseFromRetryAfter(value: string | null, nowMs: number): number | null {
  if (value === null) return null;
  const text = value.trim();
  if (/^[0-9]+$/.test(text)) return Number(text) * SECOND_MS;
  // Parse only real dates: Date.parse reads "-5" as a year.
  const time = /^[A-Za-z]/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : time - nowMs;
}

function adviseFromReset(headers: Headers, nowMs: number): number | null {
  const header = (name: string) => headers.get(`x-${name}`) ?? headers.get(name);
  const reset = header("ratelimit-reset");
  if (header("ratelimit-remaining") !== "0" || reset === null || !/^[0-9]+$/.test(reset)) return null;
  return Number(reset) * SECOND_MS - nowMs;
}
