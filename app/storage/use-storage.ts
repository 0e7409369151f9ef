import { useQuery } from "@tanstack/react-query";
import type { StorageOverview } from "./storage-calls.ts";
import { storageQuery } from "./storage-queries.ts";

/** How often to refetch while a consent page is open in another tab or copies are pending, in ms. */
const LOOK_AGAIN_MS = 3_000;

/** The storage overview. Refetched every few seconds while `isWatching`, and whenever the page becomes visible. */
export function useStorage(isWatching: boolean): {
  overview: StorageOverview | null;
  failure: string | null;
  refresh: () => Promise<void>;
} {
  const { data, error, refetch } = useQuery({
    ...storageQuery(),
    refetchInterval: isWatching ? LOOK_AGAIN_MS : false,
    // The consent page is in another tab.
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: isWatching,
  });
  return {
    overview: data ?? null,
    failure: error?.message ?? null,
    refresh: async () => void (await refetch()),
  };
}
