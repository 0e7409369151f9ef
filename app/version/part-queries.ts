import { queryOptions } from "@tanstack/react-query";
import { callApi, type ResultOf } from "#app/api/call-api.ts";
import type { ApiError } from "#app/api/transport.ts";

/** How a part is in the versions around an open one, newest first. */
export type PartVersions = ResultOf<"GET versions/part-versions">;

/** In which versions a part of a view changed. The screen shows nothing when it fails. */
export const partVersionsQuery = (order: {
  itemId: string;
  snapshotId: string;
  viewId: string;
  partId: string;
}) =>
  queryOptions<PartVersions, ApiError>({
    queryKey: ["part-versions", order],
    queryFn: async ({ signal }) => {
      const { viewId: view, partId: part, ...version } = order;
      const call = { ...version, view, part };
      return (await callApi("GET versions/part-versions", call, { signal, isQuiet: true })).result;
    },
  });
