import type { FaultAction } from "#connectors/toolkit/simulator/faults.ts";
import type { PlainAnswer } from "#connectors/toolkit/simulator/simulator-server.ts";
import type { NotionWorld } from "./state.ts";
import { now } from "./store.ts";

const USUAL_WAIT_S = 5;
const SHAPES: Record<string, { status: number; code: string; message: string; waits: boolean }> = {
  /** The quota of a connection. */
  requests: {
    ...{ status: 429, code: "rate_limited", waits: true },
    message: "You have been rate limited. Please try again in a few minutes.",
  },
  /** Notion as a whole has too much to do. Source: contract, `service_overload`; `@notionhq/client` retries 529. */
  overload: {
    ...{ status: 529, code: "service_overload", waits: false },
    message: "Notion is overloaded. Please try again later.",
  },
};

/**
 * Counts a request of a bot: three a second on average, with bursts; 2,700 in 15 minutes [limits].
 * @returns the seconds to wait when none is left, or null
 */
export function countRequest(world: NotionWorld, botId: string): number | null {
  const { requestsPerWindow, windowMs, burst } = world.settings;
  const at = now(world);
  const known = world.windows.get(botId) ?? { tokens: burst, at };
  const perMs = requestsPerWindow / windowMs;
  const tokens = Math.min(burst, known.tokens + (at - known.at) * perMs);
  const isLeft = tokens >= 1;
  world.windows.set(botId, { tokens: isLeft ? tokens - 1 : tokens, at });
  return isLeft ? null : Math.max(1, Math.ceil((1 - tokens) / perMs / 1_000));
}

/** The shapes of Notion's rate limit responses: `requests` (429) and `overload` (529). */
export function rateLimitAnswer(limit: Extract<FaultAction, { kind: "rate-limit" }>): PlainAnswer {
  const shape = SHAPES[limit.shape];
  if (shape === undefined) throw new Error(`There is no shape ${limit.shape} of a rate limit`);
  const { status, code, message, waits } = shape;
  const headers: Record<string, string> = { "Content-Type": "application/json; charset=utf-8" };
  const wait = limit.retryAfter ?? (waits ? String(USUAL_WAIT_S) : undefined);
  if (wait !== undefined) headers["Retry-After"] = wait;
  return { status, headers, body: JSON.stringify({ object: "error", status, code, message }) };
}
