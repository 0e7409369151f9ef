import { Link, useLocation } from "@remix-run/react";
import { useQuery } from "@tanstack/react-query";
import { Check, CircleX, Clock, LoaderCircle } from "lucide-react";
import { whenWanted } from "#app/api/use-lasting-query.ts";
import { shellCopy } from "#app/copy/shell.ts";
import { useNow } from "#app/format/use-now.ts";
import { isAction } from "#app/live/running-jobs.ts";
import { useJobBadge, useLiveStatus, useRunningJobs } from "#app/live/use-live-events.tsx";
import { NEWEST_DONE, runsQuery } from "#app/runs/runs-queries.ts";
import { type PillState, pillState, spokenWords } from "./pill-state.ts";
import type { ShellView } from "./shell-view.ts";
import { useEndedActions } from "./use-ended-actions.ts";

/** The running actions of all platforms, with how far they are together; leads to the page of all runs. */
export function JobPill({ shell }: { shell: ShellView }) {
  const badge = useJobBadge(null);
  const status = useLiveStatus();
  const state = usePill(shell);
  return (
    <>
      <span className="sr" role="status">
        {status === "reconnecting" ? shellCopy.reconnecting : spokenWords(badge)}
      </span>
      {status === "reconnecting" ? (
        <span className="job-pill">{shellCopy.reconnecting}</span>
      ) : (
        state.kind !== "none" && (
          <Link className="job-pill" to="/runs" prefetch="intent">
            <PillMark kind={state.kind} />
            <PillWords state={state} />
          </Link>
        )
      )}
    </>
  );
}

function usePill({ member: { timeZone }, platforms }: ShellView): PillState {
  const { jobs, tally } = useRunningJobs();
  const now = useNow(0, 5000);
  const { pathname } = useLocation();
  const list = Object.values(jobs);
  const actions = list.filter(({ progress }) => isAction(progress));
  const ended = useEndedActions(tally, actions.length > 0, pathname === "/runs");
  /* Events carry no names. Only a single action is shown by its name. */
  const { data } = useQuery(whenWanted(actions.length === 1, runsQuery(NEWEST_DONE)));
  return pillState(list, ended, {
    now,
    timeZone,
    labelOf: (id) => platforms.find((platform) => platform.id === id)?.label ?? id,
    nameOf: ({ progress: { runId } }) =>
      [...(data?.running ?? []), ...(data?.queue ?? [])].find(({ progress }) => progress.runId === runId)
        ?.name || null,
  });
}

function PillMark({ kind }: { kind: Exclude<PillState["kind"], "none"> }) {
  switch (kind) {
    case "running":
      return <LoaderCircle className="icon-s spin run-t" aria-hidden />;
    case "waiting":
      return <Clock className="icon-s warn-t" aria-hidden />;
    case "done":
      return <Check className="icon-s ok-t" aria-hidden />;
    case "failed":
      return <CircleX className="icon-s bad-t" aria-hidden />;
    default:
      return kind satisfies never;
  }
}

function PillWords({ state }: { state: Exclude<PillState, { kind: "none" }> }) {
  if (state.kind !== "running") return <span className="clip">{state.words}</span>;
  if (state.percent === null) return <span className="clip">{state.words}</span>;
  return (
    <>
      <span className="job-pill__words clip">{state.words}</span>
      <span>
        <span className="job-pill__words">· </span>
        {state.percent}&nbsp;%
      </span>
    </>
  );
}
