/**
 * Runs: the truth about every job. A run row is claimed with a lease and an epoch, worked on in slices, and ended by
 * exactly one commit. Queue messages are only hints. Backups, restores, exports, checks and deletions all use it.
 */
export { FOLDED_FACTS, foldRun, foldRuns, LAST_SUCCESSES } from "./fold-runs.store.ts";
export { forgetRuns } from "./forget-runs.ts";
export * from "./limits.ts";
export { LostRunError, type RunSlice, SliceEndError } from "./open-slice.ts";
export type { RunKind, RunRow, RunTrigger } from "./run-row.ts";
export * from "./run-slice.ts";
export {
  createRuns,
  findJournalEntry,
  findRun,
  insertRuns,
  type NewRun,
  RUN_IS_MINE,
  recentDurations,
  recordJournalEntry,
  succeedRun,
  supersedeRun,
  unlockItem,
} from "./runs.store.ts";
export * from "./settle-failure.ts";
export * from "./sweep.ts";
