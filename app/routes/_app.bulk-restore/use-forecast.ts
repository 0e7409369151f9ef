import { useEffect, useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
import { severalAtOnce } from "#app/bulk/several-at-once.ts";
import { fetchRestorePlan, type PlanQuery } from "#app/restore/fetch-restore-plan.ts";

/** The total cost of all restores: calls to the platform, and time at its limits in ms. */
export type Forecast = { calls: number; durationMs: number };

/**
 * Sums up the cost of every item's restore. All restores share one account's limits, so their times add up.
 *
 * @param queries null = the queries are not known yet.
 * @returns null while plans load and when one of them fails, because a partial sum would mislead
 */
export function useForecast(queries: readonly PlanQuery[] | null): Forecast | null {
  const [forecast, setForecast] = useState<Forecast | null>(null);
  const wanted = JSON.stringify(queries);
  useEffect(() => {
    const asked = JSON.parse(wanted) as PlanQuery[] | null;
    const abort = new AbortController();
    setForecast(null);
    if (asked === null) return;
    severalAtOnce(asked, (query) => fetchRestorePlan(query, abort.signal)).then(
      (plans) => setForecast(sumOf(plans.map(({ cost }) => cost))),
      (error: unknown) => {
        abort.abort();
        const isExpected = error instanceof ApiError || (error as Error).name === "AbortError";
        if (!isExpected) throw error;
      },
    );
    return () => abort.abort();
  }, [wanted]);
  return forecast;
}

function sumOf(costs: readonly Forecast[]): Forecast {
  const sum = { calls: 0, durationMs: 0 };
  for (const { calls, durationMs } of costs) {
    sum.calls += calls;
    sum.durationMs += durationMs;
  }
  return sum;
}
