import { queryOptions } from "@tanstack/react-query";
import type { ApiError } from "#app/api/transport.ts";
import { fetchStorage, type StorageOverview } from "./storage-calls.ts";

/** The connected storage and what is copied there. */
export const storageQuery = () =>
  queryOptions<StorageOverview, ApiError>({
    queryKey: ["storage"],
    queryFn: ({ signal }) => fetchStorage(signal),
  });
