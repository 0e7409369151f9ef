import type { DoneRun, OpenRun, RoundCell, RunsView } from "#core/rounds/views.ts";
import { progressOf } from "./view-fixtures.ts";

/** The runs of today for tests of screens. */

type Progress = OpenRun["progress"];

export function openRunOf({
  progress,
  ...over
}: Partial<Omit<OpenRun, "progress">> & { progress?: Partial<Progress> } = {}): OpenRun {
  return {
    itemId: "itm_1",
    platform: "github",
    connectionId: "con_1",
    name: "carrier-sync",
    progress: { ...(progressOf() as Progress), ...progress },
    createdAt: 500,
    trigger: "schedule",
    isOwn: false,
    isFirst: false,
    waitsTurn: false,
    retry: null,
    ...over,
  };
}

export function cellOf(over: Partial<RoundCell> = {}): RoundCell {
  return {
    itemId: "itm_1",
    platform: "github",
    name: "carrier-sync",
    state: "running",
    at: 1_000,
    runId: "run_1",
    errorText: null,
    ...over,
  };
}

export function doneRunOf(over: Partial<DoneRun> = {}): DoneRun {
  return {
    runId: "run_0",
    itemId: "itm_1",
    platform: "github",
    name: "carrier-sync",
    kind: "backup",
    isFailed: false,
    finishedAt: 900,
    tookMs: 48_000,
    newBytes: 1_100_000,
    skipped: 0,
    outcome: null,
    errorText: null,
    ...over,
  };
}

/** A view with these cells; the counts are theirs. */
export function runsViewOf({
  cells = [],
  ...over
}: Partial<RunsView> & { cells?: RoundCell[] } = {}): RunsView {
  const counts = { good: 0, retried: 0, failed: 0, running: 0, waiting: 0, queued: 0, due: 0 };
  for (const { state } of cells) counts[state] += 1;
  return {
    readAt: 2_000,
    round: { counts, lastDueAt: null, cells },
    placesOfAccount: 6,
    running: [],
    queue: [],
    queueTotal: 0,
    due: [],
    done: [],
    doneTotal: 0,
    limits: [],
    nextDueAt: null,
    ...over,
  };
}
