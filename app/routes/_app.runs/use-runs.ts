import { useQueryClient } from "@tanstack/react-query";
import { restartReads } from "#app/api/restart-reads.ts";
import { useLastingQuery } from "#app/api/use-lasting-query.ts";
import { useSeed } from "#app/api/use-seed.ts";
import { applyRunsEvent, refetchesRuns } from "#app/live/apply-runs-event.ts";
import { useLiveEvents } from "#app/live/use-live-events.tsx";
import { useRefresh } from "#app/live/use-refresh.tsx";
import { type DonePage, runsQuery } from "#app/runs/runs-queries.ts";
import { useReadFailure } from "#app/session/use-read-failure.ts";
import type { RunsView } from "#core/rounds/views.ts";

/**
 * The runs of today, kept current by live events. Changes that an event does not contain, and missed events, rerun the loader, which
 * the shell does one at a time however many events arrive.
 */
export function useRuns(loaded: { done: DonePage; view: RunsView }, done: DonePage): RunsView {
  const refresh = useRefresh();
  const client = useQueryClient();
  useSeed(runsQuery(loaded.done).queryKey, loaded.view);
  const query = runsQuery(done);
  const { data: view = loaded.view, error } = useLastingQuery(query);

  useReadFailure(error);

  useLiveEvents((heard) => {
    if (heard.kind === "resync") return restartReads(client, query.queryKey);
    client.setQueryData(query.queryKey, (before) => before && applyRunsEvent(before, heard.event));
    if (heard.event.method !== "item-progress") restartReads(client, query.queryKey);
    if (refetchesRuns(view, heard.event)) refresh();
  });

  return view;
}
