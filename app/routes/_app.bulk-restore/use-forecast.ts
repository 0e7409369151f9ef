import { useQuery } from "@tanstack/react-query";
import type { PlanQuery } from "#app/restore/fetch-restore-plan.ts";
import { type Forecast, forecastQuery } from "./bulk-queries.ts";

/**
 * Sums up the cost of every item's restore.
 *
 * @param queries null = the queries are not known yet.
 * @returns null while plans load and when one of them fails, because a partial sum would mislead
 */
export function useForecast(queries: readonly PlanQuery[] | null): Forecast | null {
  const { data, isError } = useQuery(forecastQuery(queries));
  return isError ? null : (data ?? null);
}
