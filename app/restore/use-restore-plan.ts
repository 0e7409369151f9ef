import { useLastingQuery } from "#app/api/use-lasting-query.ts";
import type { FetchedPlan, PlanQuery } from "./fetch-restore-plan.ts";
import { planQuery } from "./restore-queries.ts";

/** A plan that is loading, ready or failed. While a new one loads, the last one stays visible. */
export type RestorePlanState =
  | { kind: "loading"; last: FetchedPlan | null }
  | { kind: "ready"; plan: FetchedPlan }
  | { kind: "failed"; message: string };

/** The plan of a restore for the query; null = the order is incomplete. */
export function useRestorePlan(query: PlanQuery | null): RestorePlanState & { retry: () => void } {
  const { data, isLoading, error, refetch } = useLastingQuery(planQuery(query));
  return { ...stateOf(data ?? null, isLoading && query !== null, error), retry: refetch };
}

function stateOf(plan: FetchedPlan | null, isLoading: boolean, error: Error | null): RestorePlanState {
  if (error !== null) return { kind: "failed", message: error.message };
  return plan === null || isLoading ? { kind: "loading", last: plan } : { kind: "ready", plan };
}
