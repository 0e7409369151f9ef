import type { PlainAnswer } from "#connectors/toolkit/simulator/simulator-server.ts";
import type { JiraWorld, RateLimitFault } from "./state.ts";
import { findIssue } from "./store.ts";
import type { Viewer } from "./viewer.ts";

/** Why a request is refused, in the words of the header `RateLimit-Reason`. */
export type LimitReason =
  | "jira-quota-global-based"
  | "jira-quota-tenant-based"
  | "jira-burst-based"
  | "jira-per-issue-on-write";

/** A refused request: the reason, and when it may be repeated. */
export type Throttled = { reason: LimitReason; limit: number; retryAfterSeconds: number; resetAt: number };

const HOUR_MS = 3_600_000;

/** Endpoints with a burst limit of their own, by the published table. */
const OWN_BURSTS: readonly (readonly [RegExp, number])[] = [
  [/^GET \/issue\/:id$/, 150],
  [/^GET \/attachment\/content\/:id$/, 300],
];

/** Counts a request against the bursts of its endpoint, and refuses it when a quota is spent. @returns null = it may run */
export function admit(viewer: Viewer, method: string, path: string): Throttled | null {
  const { world, site } = viewer;
  const endpoint = `${method} ${path.replace(/\/(?=[^/]*\d)[^/]+|(?<=\/issue)\/[A-Za-z]\w*-\d+/g, "/:id")}`;
  const quota = spentQuota(viewer);
  if (quota) return quota;
  const usual = method === "GET" || method === "POST" ? world.settings.burstRead : world.settings.burstWrite;
  const own = OWN_BURSTS.find(([pattern]) => pattern.test(endpoint))?.[1];
  const limit = own === undefined ? usual : Math.round((own * world.settings.burstRead) / 100);
  const window = windowOf(world, `burst ${site.cloudId} ${endpoint}`, 1_000);
  if (window.used >= limit) return throttled("jira-burst-based", limit, window.resetAt);
  window.used += 1;
  const issue = /^\/issue\/([^/]+)/.exec(path)?.[1];
  return method === "GET" || issue === undefined || WIDE.has(issue) ? null : admitWrite(viewer, issue);
}

/** Names below `/issue/` that are no issue. */
const WIDE = new Set(["bulk", "bulkfetch", "createmeta", "rank", "picker", "watching", "archive"]);

function admitWrite({ world, site }: Viewer, issue: string): Throttled | null {
  const { issueWritesShort, issueWritesLong } = world.settings;
  // The same issue may be named by its id or its key.
  const id = findIssue(world, site, issue)?.id ?? issue;
  const windows = [
    [windowOf(world, `writes ${site.cloudId} ${id} short`, 2_000), issueWritesShort],
    [windowOf(world, `writes ${site.cloudId} ${id} long`, 30_000), issueWritesLong],
  ] as const;
  for (const [window, limit] of windows) {
    if (window.used >= limit) return throttled("jira-per-issue-on-write", limit, window.resetAt);
  }
  for (const [window] of windows) window.used += 1;
  return null;
}

/** The quota that is spent, or null. API tokens do not draw on the quotas. */
function spentQuota(viewer: Viewer): Throttled | null {
  if (viewer.via === "token") return null;
  const pool = poolOf(viewer);
  if (pool.window.used < pool.limit) return null;
  return throttled(pool.reason, pool.limit, pool.window.resetAt);
}

/** The pool that a viewer's requests draw on: the one of all sites, or the site's own. */
function poolOf({ world, site }: Viewer) {
  const { tenantPoints, globalPoints } = world.settings;
  return tenantPoints === null
    ? { reason: "jira-quota-global-based" as const, limit: globalPoints, window: hourOf(world, "points") }
    : {
        reason: "jira-quota-tenant-based" as const,
        limit: tenantPoints,
        window: hourOf(world, `points ${site.cloudId}`),
      };
}

/** Draws the points of an answered request. */
export function charge(viewer: Viewer, points: number): void {
  if (viewer.via === "app") poolOf(viewer).window.used += points;
}

/** Draws what is left of the quota: as if others had spent it. */
export function exhaust(world: JiraWorld, cloudId: string | null): void {
  const { globalPoints, tenantPoints } = world.settings;
  if (tenantPoints === null || cloudId === null) hourOf(world, "points").used = globalPoints;
  else hourOf(world, `points ${cloudId}`).used = tenantPoints;
}

/** What was drawn in this hour. */
export function pointsUsed(world: JiraWorld, cloudId: string | null): number {
  return hourOf(world, cloudId === null ? "points" : `points ${cloudId}`).used;
}

/**
 * The points of a request: a write is 1; a read is 1, plus 1 for each issue, attachment or project in the answer and 2
 * for each user, group or role. Nothing proves what an id-only search costs, so each id counts.
 */
export function pointsOf(method: string, path: string, body: unknown): number {
  const isRead =
    method === "GET" || /\/(search\/jql|approximate-count|bulkfetch|comment\/list|workflows)$/.test(path);
  if (!isRead) return 1;
  if (path.startsWith("/attachment/content/")) return 2;
  const { issues, values, issueChangeLogs } = (body ?? {}) as Record<string, unknown>;
  const listed = [issues, issueChangeLogs, values, body].find(Array.isArray)?.length;
  if (/^\/(user|users|group|role|project\/[^/]+\/role)/.test(path)) return 1 + 2 * (listed ?? 1);
  if (path === "/myself") return 3;
  if (/^\/(search\/jql|issue\/bulkfetch|changelog\/bulkfetch|project\/search)$|\/issue$/.test(path)) {
    return 1 + (listed ?? 0);
  }
  return /^\/(issue|project|attachment)\/[^/]+$/.test(path) ? 2 : 1;
}

function throttled(reason: LimitReason, limit: number, resetAt: number): Throttled {
  const retryAfterSeconds = Math.max(1, Math.ceil((resetAt - Date.now()) / 1000));
  return { reason, limit, retryAfterSeconds, resetAt };
}

function windowOf({ ledger }: JiraWorld, name: string, lengthMs: number) {
  const now = Date.now();
  const known = ledger.windows.get(name);
  if (known && known.resetAt > now) return known;
  const window = { used: 0, resetAt: now + lengthMs };
  ledger.windows.set(name, window);
  return window;
}

/** The window of the hour by UTC's clock. */
function hourOf({ ledger }: JiraWorld, name: string) {
  const resetAt = (Math.floor(Date.now() / HOUR_MS) + 1) * HOUR_MS;
  const known = ledger.windows.get(name);
  if (known?.resetAt === resetAt) return known;
  const window = { used: 0, resetAt };
  ledger.windows.set(name, window);
  return window;
}

/** Headers of every answer that draws on a quota. */
export function quotaHeaders(viewer: Viewer): Record<string, string> {
  if (viewer.via === "token") return {};
  const { window, limit, reason } = poolOf(viewer);
  const remaining = Math.max(0, limit - window.used);
  return limitHeaders({ reason, limit, remaining, resetAt: window.resetAt, retryAfterSeconds: null });
}

function limitHeaders(order: {
  reason: LimitReason;
  limit: number;
  remaining: number;
  resetAt: number;
  retryAfterSeconds: number | null;
}): Record<string, string> {
  const { reason, limit, remaining, resetAt, retryAfterSeconds } = order;
  const seconds = Math.max(1, Math.ceil((resetAt - Date.now()) / 1000));
  const policy = reason.replace("jira-", "");
  const length = reason.includes("quota") ? 3_600 : reason.includes("burst") ? 1 : 30;
  return {
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Reset": new Date(resetAt).toISOString(),
    // "Near" from a fifth on downwards, so that a client can slow down before it is refused.
    "X-RateLimit-NearLimit": String(remaining * 5 < limit),
    RateLimit: `"${policy}";r=${remaining};t=${seconds}`,
    "RateLimit-Policy": `"${policy}";q=${limit};w=${length}`,
    ...(retryAfterSeconds === null
      ? {}
      : { "Retry-After": String(retryAfterSeconds), "RateLimit-Reason": reason }),
  };
}

/** The response to a refused request. */
export function throttledAnswer({ reason, limit, retryAfterSeconds, resetAt }: Throttled): PlainAnswer {
  return {
    status: 429,
    headers: {
      "Content-Type": "application/json;charset=UTF-8",
      ...limitHeaders({ reason, limit, remaining: 0, resetAt, retryAfterSeconds }),
    },
    body: JSON.stringify({ errorMessages: ["Rate limit exceeded."], errors: {} }),
  };
}

const SHAPES: Record<string, readonly [LimitReason, number]> = {
  global: ["jira-quota-global-based", 65_000],
  tenant: ["jira-quota-tenant-based", 100_000],
  burst: ["jira-burst-based", 100],
  issue: ["jira-per-issue-on-write", 20],
};

/** The shapes of Jira's rate limit responses: `global`, `tenant`, `burst`, `issue`. */
export function rateLimitAnswer(fault: RateLimitFault): PlainAnswer {
  const shape = SHAPES[fault.shape];
  if (!shape) throw new Error(`There is no shape ${fault.shape} of a rate limit`);
  const [reason, limit] = shape;
  const resetAt = fault.resetAt === undefined ? Date.now() + 1_000 : fault.resetAt * 1000;
  const answer = throttledAnswer({ reason, limit, retryAfterSeconds: 1, resetAt });
  if (fault.retryAfter !== undefined) answer.headers["Retry-After"] = fault.retryAfter;
  return answer;
}
