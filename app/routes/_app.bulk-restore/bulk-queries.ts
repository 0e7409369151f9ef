import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { CalledAccount } from "#app/api/call-platform.ts";
import type { ApiError } from "#app/api/transport.ts";
import { type BulkQuestions, partQuestions } from "#app/bulk/bulk-answers.ts";
import type { RestorePoints } from "#app/bulk/bulk-rules.ts";
import { severalAtOnce } from "#app/bulk/several-at-once.ts";
import { type FetchedPlan, fetchRestorePlan, type PlanQuery } from "#app/restore/fetch-restore-plan.ts";
import { fetchQuestions, type QuestionsQuery } from "#app/restore/restore-calls.ts";
import type { PlaceView } from "#core/connections/views.ts";
import { fetchPickable, fetchPlaces, fetchRestorePoints } from "./calls.ts";

/** What the bulk restore reads, and under which keys. */

/** The versions of all items, in one call. */
export const restorePointsQuery = (platform: string, ids: readonly string[]) =>
  queryOptions<RestorePoints, ApiError>({
    queryKey: ["restore-points", platform, ids],
    queryFn: ({ signal }) => fetchRestorePoints(platform, ids, signal),
    enabled: ids.length > 0,
  });

/** The possible target places. */
export const bulkPlacesQuery = ({ platform, connectionId }: CalledAccount, kind: string) =>
  queryOptions<PlaceView[], ApiError>({
    queryKey: ["bulk-places", platform, connectionId, kind],
    queryFn: ({ signal }) => fetchPlaces({ platform, connectionId }, kind, signal),
  });

/** The account's protected items, page by page. */
export const pickableQuery = (
  { platform, connectionId }: CalledAccount,
  wanted: { kind: string; placeId: string | null; name: string },
) =>
  infiniteQueryOptions({
    queryKey: ["pickable", platform, connectionId, wanted],
    queryFn: ({ signal, pageParam }) =>
      fetchPickable({ platform, connectionId }, { ...wanted, page: pageParam }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) =>
      pages.reduce((sum, { items }) => sum + items.length, 0) < total ? pages.length : undefined,
  });

/** The questions of every restore. Going back a step and forward again does not ask again. */
export const bulkQuestionsQuery = (queries: readonly QuestionsQuery[]) =>
  queryOptions<BulkQuestions, ApiError>({
    queryKey: ["bulk-questions", queries],
    queryFn: async ({ signal }) => {
      const all = await severalAtOnce(queries, (query) => fetchQuestions(query, signal));
      return partQuestions(new Map(queries.map(({ itemId }, at) => [itemId, all[at] ?? []])));
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The cost of a restore: calls to the platform, and time at its limits in ms. */
type Cost = { calls: number; durationMs: number };

/** The total cost of all restores, and what each of them creates, by the id of its item. */
export type Forecast = Cost & { creates: ReadonlyMap<string, FetchedPlan["creates"]> };

/** The sum of every restore's cost. All share one account's limits, so their times add up. */
export const forecastQuery = (queries: readonly PlanQuery[] | null) =>
  queryOptions<Forecast, ApiError>({
    queryKey: ["restore-forecast", queries],
    queryFn: async ({ signal }) => {
      const plans = await severalAtOnce(queries ?? [], (query) => fetchRestorePlan(query, signal));
      const creates = new Map((queries ?? []).map(({ itemId }, at) => [itemId, plans[at]?.creates ?? []]));
      return { ...sumOf(plans.map(({ cost }) => cost)), creates };
    },
    enabled: queries !== null,
  });

function sumOf(costs: readonly Cost[]): Cost {
  const sum = { calls: 0, durationMs: 0 };
  for (const { calls, durationMs } of costs) {
    sum.calls += calls;
    sum.durationMs += durationMs;
  }
  return sum;
}
