import type { ItemView, RunProgress } from "#core/inventory/views.ts";
import type { LiveEvent, LiveWelcome } from "#core/live/events.schema.ts";

/** A backup or restore that is queued or running. */
export type RunningJob = { platform: string; id: string; progress: RunProgress };

/** Progress of adding items to one account (spec P-055). */
export type Adding = { added: number; total: number };

export type RunningJobs = {
  /** By run id, in order of their first event. */
  jobs: Readonly<Record<string, RunningJob>>;
  /** By connection, or by platform if a message names no connection. */
  adding: Readonly<Record<string, Adding>>;
  /** Runs that ended recently. Progress may arrive after a run's end and must not show it as active again. */
  ended: readonly string[];
  /** What the actions that ended since the page was opened came to. */
  tally: Tally;
};

/** How many actions ended well, by kind, and how many failed. */
export type Tally = { backups: number; restores: number; failed: number };

const NOTHING: Tally = { backups: 0, restores: 0, failed: 0 };

export const NO_JOBS: RunningJobs = { jobs: {}, adding: {}, ended: [], tally: NOTHING };

const REMEMBERED_ENDS = 200;

/** The state from the server's welcome. Replaces any earlier state, except what has been counted. */
export function jobsFromWelcome(welcome: LiveWelcome, tally: Tally = NOTHING): RunningJobs {
  return {
    ...NO_JOBS,
    tally,
    jobs: Object.fromEntries(welcome.running.map((job) => [job.progress.runId, job])),
  };
}

/** Applies one event to the running jobs. Irrelevant events return the same state. */
export function applyJobEvent(state: RunningJobs, event: LiveEvent): RunningJobs {
  switch (event.method) {
    case "items-adding":
      return { ...state, adding: nextAdding(state.adding, event) };
    case "item-progress":
      if (state.ended.includes(event.progress.runId)) return state;
      return withJob(state, { platform: event.platform, id: event.id, progress: event.progress });
    case "item-status":
      return event.status === "success" || event.status === "failed"
        ? withoutJob(counted(state, event), event.runId)
        : withJob(state, {
            platform: event.platform,
            id: event.id,
            progress: startedProgress(event, state.jobs[event.runId]?.progress ?? null),
          });
    case "items-changed":
    case "snapshot-verified":
    case "zip-status":
    case "copy-status":
    case "connection-changed":
    case "subscription-changed":
    case "updateDashboardPlatformItemsAmount":
    case "items-auto-added":
      return state;
    default:
      return event satisfies never;
  }
}

/** The progress implied by a status event: keeps known progress of the run and updates its status. */
export function startedProgress(
  event: Extract<LiveEvent, { method: "item-status" }>,
  known: RunProgress | null,
): RunProgress {
  const status = event.status === "queued" ? "queued" : "running";
  if (known !== null && known.runId === event.runId) return { ...known, status };
  return {
    runId: event.runId,
    kind: event.type,
    status,
    phase: null,
    done: 0,
    total: null,
    unit: null,
    bytesRead: 0,
    startedAt: status === "running" ? event.date : null,
    expectedEndAt: null,
    waitingUntil: null,
    fault: null,
  };
}

/** True for actions: backups and restores. Checks, ZIPs and deletions are not shown as actions. */
export function isAction(progress: RunProgress): boolean {
  return progress.kind === "backup" || progress.kind === "restore";
}

/** The badge above a list or in the top bar (spec part 2 section 4, Item status). */
export type JobBadge =
  | { kind: "none" }
  | { kind: "single"; type: "backup" | "restore" }
  | { kind: "backup" | "restore" | "mixed"; count: number }
  /** All actions have ended; shown for a moment, then `none`. */
  | { kind: "complete" };

/** Selects the badge for the running actions. `complete` requires that `previous` showed actions. */
export function jobBadge(types: readonly ("backup" | "restore")[], previous: JobBadge): JobBadge {
  const [first, ...rest] = types;
  if (first === undefined) return previous.kind === "none" ? previous : { kind: "complete" };
  if (rest.length === 0) return { kind: "single", type: first };
  const kind = rest.every((type) => type === first) ? first : "mixed";
  return { kind, count: types.length };
}

/** The types of the running actions, for {@link jobBadge}; optionally of one platform. */
export function actionsOf(state: RunningJobs, platform: string | null): ("backup" | "restore")[] {
  return Object.values(state.jobs)
    .filter((job) => platform === null || job.platform === platform)
    .flatMap(({ progress }) => typeOf(progress));
}

/** The types of the list's actions in progress. Items that wait for their first backup count too. */
export function actionsOfItems(items: readonly ItemView[]): ("backup" | "restore")[] {
  return items.flatMap((item) => {
    const running = item.activeRun === null ? [] : typeOf(item.activeRun);
    return running.length === 0 && item.status === "initialized" ? ["backup" as const] : running;
  });
}

/** Only an ended run has 100 %. */
const MOST_PERCENT = 99;

/**
 * How far the whole run is, in whole per cent: the time it took of the time that it is expected to take. Its counts
 * cannot tell, because every part has counts of its own. Null = no end is expected, e.g. of a first run.
 */
export function runPercent(
  progress: Pick<RunProgress, "startedAt" | "expectedEndAt">,
  now: number,
): number | null {
  return jointShare([progress], now);
}

/** The same for all actions together: the share of their work. Null while one of them has no expected end. */
export function jointPercent(jobs: readonly RunningJob[], now: number): number | null {
  const actions = jobs.map(({ progress }) => progress).filter(isAction);
  return actions.length === 0 ? null : jointShare(actions, now);
}

function jointShare(
  runs: readonly Pick<RunProgress, "startedAt" | "expectedEndAt">[],
  now: number,
): number | null {
  let [passed, all] = [0, 0];
  for (const { startedAt, expectedEndAt } of runs) {
    if (startedAt === null || expectedEndAt === null || expectedEndAt <= startedAt) return null;
    passed += Math.min(expectedEndAt, Math.max(startedAt, now)) - startedAt;
    all += expectedEndAt - startedAt;
  }
  return Math.min(MOST_PERCENT, Math.floor((passed / all) * 100));
}

function typeOf(progress: RunProgress): ("backup" | "restore")[] {
  return progress.kind === "backup" || progress.kind === "restore" ? [progress.kind] : [];
}

function nextAdding(
  adding: RunningJobs["adding"],
  event: Extract<LiveEvent, { method: "items-adding" }>,
): RunningJobs["adding"] {
  const key = event.connectionId ?? event.platform;
  const { [key]: _, ...others } = adding;
  if (event.addedItems >= event.totalItems) return others;
  return { ...others, [key]: { added: event.addedItems, total: event.totalItems } };
}

/** Counts the end of an action once. A run that ended with its item, at somebody's request, has no error text. */
function counted(state: RunningJobs, event: Extract<LiveEvent, { method: "item-status" }>): RunningJobs {
  const { type, status, errorText, runId } = event;
  if (state.ended.includes(runId) || (status === "failed" && errorText === null)) return state;
  const name = status === "failed" ? "failed" : type === "backup" ? "backups" : "restores";
  return { ...state, tally: { ...state.tally, [name]: state.tally[name] + 1 } };
}

function withJob(state: RunningJobs, job: RunningJob): RunningJobs {
  return { ...state, jobs: { ...state.jobs, [job.progress.runId]: job } };
}

function withoutJob(state: RunningJobs, runId: string): RunningJobs {
  const { [runId]: _, ...jobs } = state.jobs;
  return { ...state, jobs, ended: [...state.ended, runId].slice(-REMEMBERED_ENDS) };
}
