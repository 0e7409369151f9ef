/**
 * Takes, checks and removes versions: the schedule, Backup now, the backup run with its single commit point, the check
 * that follows, retention and prune, and the history that people read.
 */
export { carryOutRequests } from "./carry-out-requests.ts";
export { dispatchDue } from "./dispatch.ts";
export { listActions, listHistory } from "./history.ts";
export { checkAgain, expire, prune } from "./night-watch.ts";
export { queueRepacks, runRepack } from "./repack.ts";
export { requestAllBackups, requestBackup } from "./request-backup.ts";
export { runBackup } from "./run-backup.ts";
export { runDelete } from "./run-delete.ts";
export { runVerify } from "./run-verify.ts";
export type * from "./views.ts";
