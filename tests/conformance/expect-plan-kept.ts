import { expect } from "vitest";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import type { RestoreCost, RestorePlan } from "#connectors/contract/restore-plan.ts";
import type { TestSession } from "./test-session.ts";

/** A plan's calls may be off by a tenth, plus a few requests that depend on what an attempt finds. */
const MARGIN = { share: 0.1, calls: 5 } as const;

/** What a restore created, by kind. */
export function createdBy(events: readonly RestoreEvent[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const event of events) {
    if (event.type === "restored") counts[event.kind] = (counts[event.kind] ?? 0) + event.count;
  }
  return counts;
}

/** What a plan promises, by kind. */
export function promisedBy({ creates }: RestorePlan): Record<string, number> {
  return Object.fromEntries(creates.map(({ kind, count }) => [kind, count]));
}

/**
 * Checks a plan against its outcome: equal counts, everything impossible or missing predicted, calls within the margin.
 */
export function expectPlanKept(
  plan: RestorePlan,
  { events, session, apiUrl }: { events: readonly RestoreEvent[]; session: TestSession; apiUrl: string },
): void {
  expect(promisedBy(plan)).toEqual(createdBy(events));
  for (const type of ["impossible", "missing"] as const) {
    const told = events.flatMap((event) => (event.type === type ? [event.what] : []));
    expect(plan[type].map(({ what }) => what).sort(), type).toEqual(told.sort());
  }
  expectCalls(plan.cost, { session, apiUrl });
}

/** Checks a cost against the API calls sent and the pauses made. */
export function expectCalls(
  cost: RestoreCost,
  { session, apiUrl }: { session: TestSession; apiUrl: string },
): void {
  const calls = session.requests.filter(({ url }) => url.startsWith(apiUrl));
  const reads = calls.filter(({ method }) => method === "GET").length;
  expectNear(cost.reads, reads, "reads");
  expectNear(cost.writes, calls.length - reads, "writes");
  const slept = session.slept.reduce((sum, ms) => sum + ms, 0);
  expectNear(cost.waitMs / 1_000, slept / 1_000, "seconds of pauses");
}

function expectNear(planned: number, real: number, what: string): void {
  const margin = Math.max(MARGIN.calls, real * MARGIN.share);
  expect(Math.abs(planned - real), `${what}: ${planned} planned, ${real} in truth`).toBeLessThanOrEqual(
    margin,
  );
}
