import type { FaultAction } from "#connectors/toolkit/simulator/faults.ts";
import type { PlainAnswer } from "#connectors/toolkit/simulator/simulator-server.ts";
import type { GitlabWorld } from "./state.ts";

const MINUTE_MS = 60_000;

/** The current window of a limit. */
export type Quota = { limit: number; used: number; resetAt: number };

/** Counts one use in the current minute. */
export function count(world: GitlabWorld, key: string, limit: number): Quota {
  const now = Date.now();
  let window = world.windows.get(key);
  if (!window || window.resetAt <= now) {
    window = { used: 0, resetAt: Math.floor(now / MINUTE_MS) * MINUTE_MS + MINUTE_MS };
    world.windows.set(key, window);
  }
  window.used += 1;
  return { limit, ...window };
}

/** The uses in the current minute; counts none. */
export function used(world: GitlabWorld, key: string): number {
  const window = world.windows.get(key);
  return window && window.resetAt > Date.now() ? window.used : 0;
}

/** The rate limit headers of every API response on GitLab.com. */
export function quotaHeaders(quota: Quota): Record<string, string> {
  return {
    "RateLimit-Limit": String(quota.limit),
    "RateLimit-Name": "throttle_authenticated_api",
    "RateLimit-Observed": String(quota.used),
    "RateLimit-Remaining": String(Math.max(0, quota.limit - quota.used)),
    "RateLimit-Reset": String(Math.floor(quota.resetAt / 1000)),
    "RateLimit-ResetTime": new Date(quota.resetAt).toUTCString(),
  };
}

/** The response to a throttled request: plain text, not JSON. */
export function tooMany(quota: Quota): PlainAnswer {
  const seconds = Math.max(1, Math.ceil((quota.resetAt - Date.now()) / 1000));
  const headers = { "Content-Type": "text/plain", "Retry-After": String(seconds), ...quotaHeaders(quota) };
  return { status: 429, headers, body: "Retry later\n" };
}

/** The response to one creation too many: JSON, without rate limit headers. */
export const TOO_MANY_CREATIONS = {
  message: { error: "This endpoint has been requested too many times. Try again later." },
};

/**
 * The shapes of GitLab's rate limit responses: `throttle` (text, rate limit headers, `Retry-After`), `application`
 * (JSON, as for issues and notes), `gitaly` (503, the storage is under load).
 */
export function rateLimitAnswer(limit: Extract<FaultAction, { kind: "rate-limit" }>): PlainAnswer {
  const resetAt = (limit.resetAt ?? Math.floor(Date.now() / 1000) + 60) * 1000;
  const wait: Record<string, string> =
    limit.retryAfter === undefined ? {} : { "Retry-After": limit.retryAfter };
  if (limit.shape === "application") {
    const headers = { "Content-Type": "application/json", ...wait };
    return { status: 429, headers, body: JSON.stringify(TOO_MANY_CREATIONS) };
  }
  if (limit.shape === "gitaly") {
    const body = "The git server, Gitaly, is not available at this time. Please contact your administrator.";
    return { status: 503, headers: { "Content-Type": "text/plain", ...wait }, body };
  }
  if (limit.shape !== "throttle") throw new Error(`There is no shape ${limit.shape} of a rate limit`);
  const answer = tooMany({ limit: 2_000, used: 2_001, resetAt });
  if (limit.retryAfter !== undefined) answer.headers["Retry-After"] = limit.retryAfter;
  return answer;
}
