import type { CallLimit, RestoreCost } from "#connectors/contract/restore-plan.ts";
import { SECOND_MS } from "#core/kernel/clock.ts";
import type { QuotaLeft } from "#core/services.ts";

/** A platform's usual answer, its way to us included. */
const ANSWER_MS = 250;
/** What an upload to a platform usually carries. */
const BYTES_A_SECOND = 4 * 1024 * 1024;

/** Calls of the API, whatever they do. */
export function callsOf({ reads, writes }: RestoreCost): number {
  return reads + writes;
}

/**
 * How long a restore will take from now on, in ms: its own pauses, the platform's answers and the bytes, or as long as the
 * platform's limits make it, with what is left of them now.
 */
export function expectedDuration(cost: RestoreCost, left: QuotaLeft, now: number): number {
  const workMs =
    cost.waitMs + callsOf(cost) * ANSWER_MS + Math.round((cost.bytes / BYTES_A_SECOND) * SECOND_MS);
  const pauseMs = Math.max(0, (left.pausedUntil ?? now) - now);
  const limited = cost.limits.map((limit) => limitedMs(limit, cost, { left, start: now + pauseMs, workMs }));
  return pauseMs + Math.max(workMs, ...limited);
}

/** When the last call may be made: what fits into the running period, then full periods, then a part of the work. */
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
