import type { LiveEvent } from "#core/live/events.schema.ts";
import type { CellState, OpenRun, Round, RunsView } from "#core/rounds/views.ts";
import { startedProgress } from "./running-jobs.ts";

type Progress = OpenRun["progress"];

/**
 * Applies one live event to the runs of today. Pure; returns the same view when nothing changes. Runs that the view does
 * not know, and what an ended run did, come with the next read (`refetchesRuns`).
 */
export function applyRunsEvent(view: RunsView, event: LiveEvent): RunsView {
  switch (event.method) {
    case "item-progress": {
      const run = openRunOf(view, event.progress.runId);
      if (run === null || !isShown(event.progress)) return view;
      return withProgress(view, run, event.progress);
    }
    case "item-status": {
      const run = openRunOf(view, event.runId);
      if (run === null) return view;
      if (event.status === "queued" || event.status === "running") {
        const progress = startedProgress(event, run.progress);
        return isShown(progress) ? withProgress(view, run, progress) : view;
      }
      return withoutRun(view, run, event.status === "failed" ? "failed" : "good", event.errorText);
    }
    case "items-adding":
    case "items-changed":
    case "snapshot-verified":
    case "zip-status":
    case "copy-status":
    case "connection-changed":
    case "subscription-changed":
    case "updateDashboardPlatformItemsAmount":
    case "items-auto-added":
      return view;
    default:
      return event satisfies never;
  }
}

/** True for events after which the runs must be read again: runs were added or ended, or a run is not known. */
export function refetchesRuns(view: RunsView, event: LiveEvent): boolean {
  switch (event.method) {
    case "item-progress":
      return isShown(event.progress) && openRunOf(view, event.progress.runId) === null;
    case "item-status":
      return event.status !== "running" || openRunOf(view, event.runId) === null;
    case "zip-status":
    case "items-changed":
    case "connection-changed":
    case "subscription-changed":
      return true;
    case "updateDashboardPlatformItemsAmount":
    case "items-adding":
    case "snapshot-verified":
    case "copy-status":
    case "items-auto-added":
      return false;
    default:
      return event satisfies never;
  }
}

/** True while a run is at work: it has started, and no fault is being retried. */
function isAtWork({ startedAt, waitingUntil, fault, status }: Progress): boolean {
  return startedAt !== null && (status === "running" || waitingUntil === null || fault === null);
}

function isShown(progress: { kind: string }): progress is Progress {
  return progress.kind === "backup" || progress.kind === "restore" || progress.kind === "export";
}

function openRunOf({ running, queue }: RunsView, runId: string): OpenRun | null {
  return [...running, ...queue].find(({ progress }) => progress.runId === runId) ?? null;
}

function withProgress(view: RunsView, run: OpenRun, progress: Progress): RunsView {
  const next = { ...run, progress, waitsTurn: false };
  const replaced = (runs: OpenRun[]) => runs.map((one) => (one === run ? next : one));
  const round =
    progress.kind === "backup" ? moved(view.round, progress.runId, stateOf(progress)) : view.round;
  const wasAtWork = view.running.includes(run);
  if (isAtWork(progress) === wasAtWork) {
    return { ...view, round, running: replaced(view.running), queue: replaced(view.queue) };
  }
  const others = (runs: OpenRun[]) => runs.filter((one) => one !== run);
  return wasAtWork
    ? {
        ...view,
        round,
        running: others(view.running),
        queue: [...view.queue, next],
        queueTotal: view.queueTotal + 1,
      }
    : {
        ...view,
        round,
        running: [...view.running, next],
        queue: others(view.queue),
        queueTotal: Math.max(0, view.queueTotal - 1),
      };
}

function stateOf(progress: Progress): CellState {
  if (!isAtWork(progress)) return "queued";
  return progress.status === "queued" && progress.waitingUntil !== null ? "waiting" : "running";
}

function withoutRun(view: RunsView, run: OpenRun, state: CellState, errorText: string | null): RunsView {
  const isQueued = view.queue.includes(run);
  const others = (runs: OpenRun[]) => runs.filter((one) => one !== run);
  return {
    ...view,
    round:
      run.progress.kind === "backup" ? moved(view.round, run.progress.runId, state, errorText) : view.round,
    running: others(view.running),
    queue: others(view.queue),
    queueTotal: Math.max(0, view.queueTotal - (isQueued ? 1 : 0)),
  };
}

/** The round after a backup's state has changed. A round that is only counted changes with the next read. */
function moved(round: Round, runId: string, state: CellState, errorText: string | null = null): Round {
  const cell = round.cells?.find((one) => one.runId === runId);
  if (!cell || !round.cells || cell.state === state) return round;
  const counts = { ...round.counts };
  counts[cell.state] -= 1;
  counts[state] += 1;
  return {
    ...round,
    counts,
    cells: round.cells.map((one) => (one === cell ? { ...cell, state, errorText } : one)),
  };
}
