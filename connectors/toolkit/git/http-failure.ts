import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { outage, retryTime } from "../retry-time.ts";

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

/** Quotes the server's message, unless it is a web page. */
function quote(excerpt: string, headers: Headers): string {
  if (/html/i.test(headers.get("content-type") ?? "") || /^\s*</.test(excerpt)) return "";
  const words = excerpt.replace(/\s+/g, " ").trim().slice(0, 300);
  return words === "" ? "" : ` It said: ${words}`;
}
