import type { CallLimit, RestoreCost } from "#connectors/contract/restore-plan.ts";
import { SECOND_MS } from "#core/kernel/clock.ts";
import type { QuotaLeft } from "#core/services.ts";

/** Typical response time of a platform, including the network. */
const ANSWER_MS = 250;
/** Typical upload speed to a platform. */
const BYTES_A_SECOND = 4 * 1024 * 1024;

/** Number of API calls of any kind. */
export function callsOf({ reads, writes }: RestoreCost): number {
  return reads + writes;
}

/**
 * Estimates how long a restore takes from now on, in ms: its own pauses, the platform's response times and the upload,
 * or as long as the platform's limits require with the quota that is left now.
 */
export function expectedDuration(cost: RestoreCost, left: QuotaLeft, now: number): number {
  const workMs =
    cost.waitMs + callsOf(cost) * ANSWER_MS + Math.round((cost.bytes / BYTES_A_SECOND) * SECOND_MS);
  const pauseMs = Math.max(0, (left.pausedUntil ?? now) - now);
  const limited = cost.limits.map((limit) => limitedMs(limit, cost, { left, start: now + pauseMs, workMs }));
  return pauseMs + Math.max(workMs, ...limited);
}

/**
 * Time until the limit allows the last call: what fits into the current period, then full periods, then a share of the
 * work.
 */
function limitedMs(
  { of, resource, most, periodMs }: CallLimit,
  cost: RestoreCost,
  { left, start, workMs }: { left: QuotaLeft; start: number; workMs: number },
): number {
  const count = of === "calls" ? callsOf(cost) : cost.creations;
  const known = resource === null ? undefined : left.quotas[resource];
  const running = known && known.resetAt > start ? known : { remaining: most, resetAt: start + periodMs };
  const rest = count - running.remaining;
  if (rest <= 0) return 0;
  const periods = Math.ceil(rest / most) - 1;
  const lastCalls = rest - periods * most;
  return running.resetAt - start + periods * periodMs + Math.round((workMs * lastCalls) / count);
}
