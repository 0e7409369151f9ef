/**
 * Takes versions: the schedule, Backup now, the backup run with its single commit point, and the history that people
 * read. What happens to a version afterwards is in `core/upkeep`.
 */
export { queueBackupAfter } from "./backups.store.ts";
export { carryOutRequests } from "./carry-out-requests.ts";
export { dispatchDue } from "./dispatch.ts";
export { eraseVersion } from "./erase-version.ts";
export { listActions, listHistory } from "./history.ts";
export { noteChange } from "./note-change.ts";
export { requestAllBackups, requestBackup } from "./request-backup.ts";
export { runBackup } from "./run-backup.ts";
export type * from "./views.ts";
