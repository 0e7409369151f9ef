import type { FaultAction } from "#connectors/toolkit/simulator/faults.ts";
import type { PlainAnswer } from "#connectors/toolkit/simulator/simulator-server.ts";
import { errorBody } from "./answers.ts";

const SHAPES: Record<string, { status: 403 | 429; reason: string; message: string }> = {
  user: { status: 403, reason: "userRateLimitExceeded", message: "User Rate Limit Exceeded" },
  project: { status: 403, reason: "rateLimitExceeded", message: "Rate Limit Exceeded" },
  backend: { status: 429, reason: "rateLimitExceeded", message: "Rate Limit Exceeded" },
};

/** Drive's rate-limit responses: `user` and `project` (403), `backend` (429). None includes a retry time. */
export function rateLimitAnswer(limit: Extract<FaultAction, { kind: "rate-limit" }>): PlainAnswer {
  const shape = SHAPES[limit.shape];
  if (shape === undefined) throw new Error(`There is no shape ${limit.shape} of a rate limit`);
  const wait: Record<string, string> =
    limit.retryAfter === undefined ? {} : { "Retry-After": limit.retryAfter };
  return {
    status: shape.status,
    headers: { "Content-Type": "application/json; charset=UTF-8", ...wait },
    body: JSON.stringify(errorBody({ ...shape, domain: "usageLimits" })),
  };
}
