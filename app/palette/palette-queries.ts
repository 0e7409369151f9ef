import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { callApi, type ResultOf } from "#app/api/call-api.ts";
import type { ApiError } from "#app/api/transport.ts";

type Found = ResultOf<"GET user/search-items">;

/** The items of all platforms whose names contain the words. The last answer stays while the next one is fetched. */
export const foundItemsQuery = (text: string) =>
  queryOptions<Found, ApiError>({
    queryKey: ["found-items", text],
    queryFn: async ({ signal }) => (await callApi("GET user/search-items", { text }, { signal })).result,
    placeholderData: keepPreviousData,
  });

/** What the newest versions hold under these names, page by page. It is asked for once, not with each letter. */
export const foundNamesQuery = (text: string) =>
  infiniteQueryOptions({
    queryKey: ["found-names", text],
    queryFn: async ({ signal, pageParam: after }) =>
      (await callApi("GET user/search-names", { text, after }, { signal })).result,
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
