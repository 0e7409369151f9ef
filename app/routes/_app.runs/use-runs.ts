import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { restartReads } from "#app/api/restart-reads.ts";
import { useLastingQuery } from "#app/api/use-lasting-query.ts";
import { useSeed } from "#app/api/use-seed.ts";
import { notify } from "#app/components/toasts.ts";
import { applyRunsEvent, refetchesRuns } from "#app/live/apply-runs-event.ts";
import { useLiveEvents } from "#app/live/use-live-events.tsx";
import { useRefresh } from "#app/live/use-refresh.tsx";
import { type DonePage, runsQuery } from "#app/runs/runs-queries.ts";
import type { RunsView } from "#core/rounds/views.ts";

/**
 * The runs of today, kept current by live events. What an event cannot tell, and missed events, rerun the loader, which
 * the shell does one at a time however many events arrive.
 */
export function useRuns(loaded: { done: DonePage; view: RunsView }, done: DonePage): RunsView {
  const refresh = useRefresh();
  const client = useQueryClient();
  useSeed(runsQuery(loaded.done).queryKey, loaded.view);
  const query = runsQuery(done);
  const { data: view = loaded.view, error } = useLastingQuery(query);

  useEffect(() => {
    if (error === null) return;
    /* The session has ended: the loader redirects to sign-in and back. */
    if (error.code === "err.session.missing") refresh();
    else notify(error.message, { tone: "bad" });
  }, [error, refresh]);

  useLiveEvents((heard) => {
    if (heard.kind === "resync") return restartReads(client, query.queryKey);
    client.setQueryData(query.queryKey, (before) => before && applyRunsEvent(before, heard.event));
    if (heard.event.method !== "item-progress") restartReads(client, query.queryKey);
    if (refetchesRuns(view, heard.event)) refresh();
  });

  return view;
}
