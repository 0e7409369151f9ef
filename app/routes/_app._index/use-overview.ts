import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { ApiError } from "#app/api/call-api.ts";
import { restartReads } from "#app/api/restart-reads.ts";
import { useSeed } from "#app/api/use-seed.ts";
import { applyOverviewEvent, refetchesOverview } from "#app/live/apply-overview-event.ts";
import { useLiveEvents } from "#app/live/use-live-events.tsx";
import type { Overview } from "#core/overview/views.ts";

/** Changes within this time, in ms, trigger only one read. */
const REFETCH_QUIET_MS = 600;

const overviewKey = ["overview"] as const;

const overviewQuery = queryOptions<Overview, ApiError>({
  queryKey: overviewKey,
  queryFn: async ({ signal }) => {
    const { callApi } = await import("#app/api/call-api.ts");
    const { result } = await callApi("GET user/dashboard", {}, { signal, isQuiet: true });
    return result;
  },
  // The page comes with its first data.
  refetchOnMount: false,
});

/** The dashboard's data: first the loader's, then what live events make of it (spec B-265). */
export function useOverview(loaded: Overview): Overview {
  const client = useQueryClient();
  useSeed(overviewQuery.queryKey, loaded);
  const { data, refetch } = useQuery(overviewQuery);
  const latest = useRef(refetch);
  latest.current = refetch;
  const quiet = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(quiet.current), []);
  const refetchSoon = () => {
    clearTimeout(quiet.current);
    quiet.current = setTimeout(() => void latest.current(), REFETCH_QUIET_MS);
  };
  useLiveEvents((signal) => {
    if (signal.kind === "resync") return refetchSoon();
    const { event } = signal;
    client.setQueryData(overviewQuery.queryKey, (shown) => shown && applyOverviewEvent(shown, event));
    if (!refetchesOverview(event)) return;
    restartReads(client, overviewKey);
    refetchSoon();
  });
  return data ?? loaded;
}
