import { keepPreviousData, queryOptions } from "@tanstack/react-query";
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
