import { useEffect, useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
import { type FetchedPlan, fetchRestorePlan } from "#app/api/fetch-restore-plan.ts";

/** A plan that is loading, ready or failed. While a new one loads, the last one stays visible. */
export type PlanState =
  | { kind: "loading"; last: FetchedPlan | null }
  | { kind: "ready"; plan: FetchedPlan }
  | { kind: "failed"; message: string };

/** The plan of a restore. Reloaded when the version, options or place change. */
export function useRestorePlan(
  itemId: string,
  snapshotId: string | null,
  options: Readonly<Record<string, boolean>>,
  placeId: string | null,
): PlanState & { retry: () => void } {
  const [state, setState] = useState<PlanState>({ kind: "loading", last: null });
  const [attempt, setAttempt] = useState(0);
  const chosen = JSON.stringify(options);
  // biome-ignore lint/correctness/useExhaustiveDependencies: -- a new attempt repeats the request
  useEffect(() => {
    if (snapshotId === null) return;
    const abort = new AbortController();
    setState((before) => ({ kind: "loading", last: before.kind === "ready" ? before.plan : null }));
    const order = { itemId, snapshotId, options: JSON.parse(chosen) as Record<string, boolean> };
    fetchRestorePlan({ ...order, placeId, signal: abort.signal }).then(
      (plan) => setState({ kind: "ready", plan }),
      (error: unknown) => {
        if (error instanceof ApiError) setState({ kind: "failed", message: error.message });
      },
    );
    return () => abort.abort();
  }, [itemId, snapshotId, chosen, placeId, attempt]);
  return { ...state, retry: () => setAttempt((count) => count + 1) };
}
