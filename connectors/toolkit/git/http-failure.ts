import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#core/kernel/clock.ts";

/** Maximum delay that we accept from one response; after it we ask again. */
const LONGEST_WAIT_MS = HOUR_MS;
const WAIT_WITHOUT_ADVICE_MS = MINUTE_MS;

/**
 * Turns a git server's HTTP status into a ConnectorError. `excerpt` is the start of the body: GitHub distinguishes a
 * secondary rate limit from a refusal only in the text.
 */
export function httpFailure(
  status: number,
  headers: Headers,
  excerpt: string,
  nowMs: number,
): ConnectorError {
  const said = quote(excerpt, headers);
  if (status === 429 || (status === 403 && saysRateLimited(headers, excerpt))) {
    const retryAt = retryTime(headers, nowMs);
    return new ConnectorError("rate-limited", `The git server asks us to wait (${status}).${said}`, {
      status,
      retryAt,
    });
  }
  const fault = (kind: ConnectorError["kind"], sentence: string, more: { retryAt?: number } = {}) =>
    new ConnectorError(kind, `${sentence} (${status}).${said}`, { status, ...more });
  if (status === 401) return fault("unauthorized", "The git server does not accept our sign-in");
  if (status === 403) return fault("forbidden", "The git server refuses access to this repository");
  if (status === 404) return fault("gone", "The git server does not know this repository");
  if (status === 410 || status === 451) return fault("gone", "The repository is no longer available");
  if (status === 408 || status >= 500)
    return fault("unavailable", "The git server is not available", outage(status, headers, nowMs));
  if (status === 413) return fault("unsupported", "The git server refuses a request of this size");
  return fault("malformed", "The git server gave an answer that git does not know");
}

function saysRateLimited(headers: Headers, excerpt: string): boolean {
  return (
    headers.has("retry-after") ||
    headers.get("x-ratelimit-remaining") === "0" ||
    /rate limit|abuse detection|too many requests/i.test(excerpt)
  );
}

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

/** Quotes the server's message, unless it is a web page. */
function quote(excerpt: string, headers: Headers): string {
  if (/html/i.test(headers.get("content-type") ?? "") || /^\s*</.test(excerpt)) return "";
  const words = excerpt.replace(/\s+/g, " ").trim().slice(0, 300);
  return words === "" ? "" : ` It said: ${words}`;
}
