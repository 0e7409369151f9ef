import { queryOptions } from "@tanstack/react-query";
import { callApi } from "#app/api/call-api.ts";
import type { ApiError } from "#app/api/transport.ts";
import type { RunsView } from "#core/rounds/views.ts";

/** Which of today's ended runs are listed: the newest, or a page of all. */
export type DonePage = { page: number; perPage: number };

/** The newest ended runs, as the page opens. */
export const NEWEST_DONE: DonePage = { page: 0, perPage: 10 };

/** Ended runs on a page of all of today's. */
export const ALL_PER_PAGE = 50;

/** The runs of today. */
export const runsQuery = ({ page, perPage }: DonePage) =>
  queryOptions<RunsView, ApiError>({
    queryKey: ["runs", page, perPage],
    queryFn: async ({ signal }) => (await callApi("GET user/runs", { page, perPage }, { signal })).result,
  });
