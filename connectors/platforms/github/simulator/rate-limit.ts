import type { FaultAction } from "#connectors/toolkit/simulator/faults.ts";
import type { PlainAnswer } from "#connectors/toolkit/simulator/simulator-server.ts";
import type { Viewer } from "./access.ts";
import type { GithubWorld } from "./state.ts";

const HOUR_MS = 3_600_000;
/** Requests per hour and IP address without credentials. */
const ANONYMOUS_LIMIT = 60;

/** A viewer's quota in the current hour. */
export type Quota = { limit: number; used: number; resetAt: number };

/** Counts a request and returns the viewer's quota. `spend` is -1 to refund a request that turns out to be free. */
export function countRequest(world: GithubWorld, viewer: Viewer, spend: 0 | 1 | -1): Quota {
  const limit = viewer.kind === "anonymous" ? ANONYMOUS_LIMIT : world.settings.rateLimit;
  return { limit, ...count(world, quotaKey(viewer), spend) };
}

/** Counts points and returns the GraphQL quota, which is separate from REST's. */
export function countPoints(world: GithubWorld, viewer: Viewer, points: number): Quota {
  return { limit: world.settings.graphqlLimit, ...count(world, `graphql of ${quotaKey(viewer)}`, points) };
}

function count(world: GithubWorld, key: string, spend: number): Omit<Quota, "limit"> {
  const now = Date.now();
  let window = world.rate.get(key);
  if (!window || window.resetAt <= now) {
    window = { used: 0, resetAt: now + HOUR_MS };
    world.rate.set(key, window);
  }
  window.used += spend;
  return { used: window.used, resetAt: window.resetAt };
}

/** The rate-limit headers of every API answer. */
export function quotaHeaders(quota: Quota, resource = "core"): Record<string, string> {
  return {
    "X-RateLimit-Limit": String(quota.limit),
    "X-RateLimit-Remaining": String(Math.max(0, quota.limit - quota.used)),
    "X-RateLimit-Reset": String(Math.floor(quota.resetAt / 1000)),
    "X-RateLimit-Used": String(Math.min(quota.used, quota.limit)),
    "X-RateLimit-Resource": resource,
  };
}

/** The message of the primary limit. */
export function limitMessage(viewer: Viewer): string {
  if (viewer.kind === "user") return `API rate limit exceeded for user ID ${viewer.account.id}.`;
  if (viewer.kind === "installation") {
    return `API rate limit exceeded for installation ID ${viewer.installation.id}.`;
  }
  return "API rate limit exceeded for 127.0.0.1. (But here's the good news: Authenticated requests get a higher rate limit.)";
}

const SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
const DOCS = "https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api";

const SHAPES = ["primary", "primary-403", "primary-429", "secondary-403", "secondary-429"];

/**
 * Builds a rate-limit answer in one of GitHub's shapes: `primary` (403, or 429 for `primary-429`, with an exhausted
 * quota), or the secondary limit as `secondary-403` or `secondary-429`, with `retry-after` if given.
 */
export function rateLimitAnswer(limit: Extract<FaultAction, { kind: "rate-limit" }>): PlainAnswer {
  if (!SHAPES.includes(limit.shape)) throw new Error(`There is no shape ${limit.shape} of a rate limit`);
  const isPrimary = limit.shape.startsWith("primary");
  const status = limit.shape.endsWith("429") ? 429 : 403;
  const resetAt = limit.resetAt ?? Math.floor(Date.now() / 1000) + 60;
  const headers: Record<string, string> = { "Content-Type": "application/json; charset=utf-8" };
  if (isPrimary) {
    Object.assign(headers, {
      "X-RateLimit-Limit": "5000",
      "X-RateLimit-Remaining": "0",
      "X-RateLimit-Reset": String(resetAt),
      "X-RateLimit-Used": "5000",
      "X-RateLimit-Resource": "core",
    });
  }
  if (limit.retryAfter !== undefined) headers["Retry-After"] = limit.retryAfter;
  const message = isPrimary ? "API rate limit exceeded for user ID 1." : SECONDARY;
  const body = JSON.stringify({ message, documentation_url: DOCS, status: String(status) });
  return { status, headers, body };
}

/** The key under which a viewer is counted. */
export function quotaKey(viewer: Viewer): string {
  switch (viewer.kind) {
    case "anonymous":
      return "anonymous";
    case "app":
      return "app";
    case "installation":
      return `installation ${viewer.installation.id}`;
    case "user":
      return `user ${viewer.account.id}`;
  }
}
