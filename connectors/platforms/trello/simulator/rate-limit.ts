import type { FaultAction } from "#connectors/toolkit/simulator/faults.ts";
import type { PlainAnswer } from "#connectors/toolkit/simulator/simulator-server.ts";
import type { Token, TrelloWorld } from "./state.ts";

/** The response body for each ceiling. */
const CODES = {
  key: { error: "API_KEY_LIMIT_EXCEEDED", message: "Rate limit exceeded" },
  token: { error: "API_TOKEN_LIMIT_EXCEEDED", message: "Rate limit exceeded" },
  member: { error: "MEMBER_LIMIT_EXCEEDED", message: "Exceeded rate limit to /1/member" },
  database: { error: "API_TOKEN_DB_LIMIT_EXCEEDED", message: "Rate limit exceeded" },
};
/** A rate limit of Trello. */
export type Ceiling = keyof typeof CODES;

/**
 * Counts a request against the ceilings of the application's key, the token and, for `/members/:id` itself, the member.
 * Parts of a member such as `/members/me/boards` count only against the first two.
 * @returns the ceiling that was hit, or null
 */
export function countRequest(world: TrelloWorld, token: Token, path: string): Ceiling | null {
  const { settings } = world;
  const key = windowOf(world, "key", settings.windowMs);
  const ownWindow = windowOf(world, `token ${token.id}`, settings.windowMs);
  const isMember = /^\/members\/[^/]+\/?$/.test(path);
  const memberWindow = isMember ? windowOf(world, `member ${token.id}`, settings.memberWindowMs) : null;
  // A key that continues despite refusals is blocked until the window ends.
  const isBlocked = key.refused > settings.blockAfterRefusals;
  const hit = (): Ceiling | null => {
    if (isBlocked || key.used >= settings.keyLimit) return "key";
    if (ownWindow.used >= settings.tokenLimit) return "token";
    return memberWindow !== null && memberWindow.used >= settings.memberLimit ? "member" : null;
  };
  const ceiling = hit();
  if (ceiling !== null) {
    key.refused += 1;
    return ceiling;
  }
  const all = windowOf(world, `all of ${token.idMember}`, settings.windowMs);
  for (const window of [key, ownWindow, memberWindow, all]) if (window) window.used += 1;
  return null;
}

/**
 * The headers that report what is left of the limits of the key, the token and all requests of the member, as in
 * recorded responses. No header reports when they are full again, or what is left of the limit of `/members/:id`.
 */
export function limitHeaders(world: TrelloWorld, token: Token): Record<string, string> {
  const { keyLimit, tokenLimit, memberRequestLimit, windowMs } = world.settings;
  const limits = [
    ["api-key", keyLimit, "key"],
    ["api-token", tokenLimit, `token ${token.id}`],
    ["member", memberRequestLimit, `all of ${token.idMember}`],
  ] as const;
  return Object.fromEntries(
    limits.flatMap(([name, most, window]) => [
      [`x-rate-limit-${name}-interval-ms`, String(windowMs)],
      [`x-rate-limit-${name}-max`, String(most)],
      [`x-rate-limit-${name}-remaining`, String(Math.max(0, most - windowOf(world, window, windowMs).used))],
    ]),
  );
}

function windowOf(world: TrelloWorld, name: string, lengthMs: number) {
  const now = Date.now();
  const known = world.windows.get(name);
  if (known && known.resetAt > now) return known;
  const window = { used: 0, refused: 0, resetAt: now + lengthMs };
  world.windows.set(name, window);
  return window;
}

/** The response to a throttled request: no `Retry-After`, and no headers, because no recording shows any. */
export function tooManyAnswer(ceiling: Ceiling): PlainAnswer {
  const headers = { "Content-Type": "application/json; charset=utf-8" };
  return { status: 429, headers, body: JSON.stringify(CODES[ceiling]) };
}

/** The shapes of Trello's rate limit responses: `key`, `token`, `member`, `database`. */
export function rateLimitAnswer(limit: Extract<FaultAction, { kind: "rate-limit" }>): PlainAnswer {
  if (!(limit.shape in CODES)) throw new Error(`There is no shape ${limit.shape} of a rate limit`);
  const answer = tooManyAnswer(limit.shape as Ceiling);
  if (limit.retryAfter !== undefined) answer.headers["Retry-After"] = limit.retryAfter;
  return answer;
}
