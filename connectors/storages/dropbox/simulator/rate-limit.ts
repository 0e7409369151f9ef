import type { FaultAction } from "#connectors/toolkit/simulator/faults.ts";
import type { PlainAnswer } from "#connectors/toolkit/simulator/simulator-server.ts";

/**
 * Dropbox's two rate-limit responses, both 429: `requests` (too many calls) and `writes` (other writes to the same
 * account are in progress; clears within a moment).
 */
export function rateLimitAnswer(limit: Extract<FaultAction, { kind: "rate-limit" }>): PlainAnswer {
  const tags: Record<string, string> = { requests: "too_many_requests", writes: "too_many_write_operations" };
  const tag = tags[limit.shape];
  if (tag === undefined) throw new Error(`There is no shape ${limit.shape} of a rate limit`);
  const seconds = limit.retryAfter ?? "1";
  const error = { reason: { ".tag": tag }, retry_after: Number(seconds) || 1 };
  return {
    status: 429,
    headers: { "Content-Type": "application/json", "Retry-After": seconds },
    body: JSON.stringify({ error_summary: `${tag}/..`, error }),
  };
}
