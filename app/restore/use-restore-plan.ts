import { useEffect, useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
import { type FetchedPlan, fetchRestorePlan, type PlanQuery } from "./fetch-restore-plan.ts";

/** A plan that is loading, ready or failed. While a new one loads, the last one stays visible. */
export type RestorePlanState =
  | { kind: "loading"; last: FetchedPlan | null }
  | { kind: "ready"; plan: FetchedPlan }
  | { kind: "failed"; message: string };

/** Fetches the plan of a restore again whenever the query changes; null = the order is incomplete. */
export function useRestorePlan(query: PlanQuery | null): RestorePlanState & { retry: () => void } {
  const [state, setState] = useState<RestorePlanState>({ kind: "loading", last: null });
  const [attempt, setAttempt] = useState(0);
  const key = JSON.stringify(query);
  // biome-ignore lint/correctness/useExhaustiveDependencies: -- a new attempt repeats the request
  useEffect(() => {
    const asked = JSON.parse(key) as PlanQuery | null;
    if (asked === null) return;
    const abort = new AbortController();
    setState((before) => ({ kind: "loading", last: before.kind === "ready" ? before.plan : null }));
    fetchRestorePlan(asked, abort.signal).then(
      (plan) => setState({ kind: "ready", plan }),
      (error: unknown) => {
        if (error instanceof ApiError) setState({ kind: "failed", message: error.message });
      },
    );
    return () => abort.abort();
  }, [key, attempt]);
  return { ...state, retry: () => setAttempt((count) => count + 1) };
}
