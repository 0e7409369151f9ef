import type { ItemView } from "#core/inventory/views.ts";

/** A daily item counts as stale when its newest version is older than this. */
export const STALE_AFTER_MS = 26 * 60 * 60 * 1000;

export type ItemState =
  | "protected"
  /** The platform refuses our access, so no version can follow. */
  | "disconnected"
  | "backingUp"
  | "restoring"
  | "waiting"
  | "firstBackup"
  | "alarm"
  | "failed"
  | "stale"
  | "paused"
  | "deleted";

type Judged = Pick<ItemView, "status" | "activeRun" | "lastError" | "lastBackupAt" | "isDaily" | "alarm">;

/** The most urgent state of an item. `isTokenValid`: the platform accepts the access of its account. */
export function itemState(item: Judged, now: number, isTokenValid: boolean): ItemState {
  const run = item.activeRun;
  if (run?.kind === "restore") return "restoring";
  if (run?.kind === "backup" && run.status === "running") return "backingUp";
  const isWaiting = item.status === "initialized" && !hasFailed(item);
  if (isWaiting) return isTokenValid ? "firstBackup" : "disconnected";
  // The row's note shows the other states. An alarm only ends when a user acknowledges it.
  if (item.alarm !== null) return "alarm";
  if (item.status === "deleted") return "deleted";
  if (!isTokenValid) return "disconnected";
  if (run?.kind === "backup") return "waiting";
  if (hasFailed(item)) return "failed";
  if (!item.isDaily) return "paused";
  if (item.lastBackupAt !== null && now - item.lastBackupAt > STALE_AFTER_MS) return "stale";
  return "protected";
}

/** True when the last attempt failed and no version was taken since. */
export function hasFailed(item: Pick<Judged, "lastError" | "lastBackupAt">): boolean {
  return item.lastError !== null && (item.lastBackupAt === null || item.lastError.at > item.lastBackupAt);
}

/** A running or waiting backup or restore, or a pending first backup, counts as in progress (spec P-188). */
export function isInProgress(item: Pick<Judged, "status" | "activeRun">): boolean {
  const kind = item.activeRun?.kind;
  return item.status === "initialized" || kind === "backup" || kind === "restore";
}

/** An item that is in progress or was never backed up cannot be selected (spec P-179, P-287). */
export function canSelect(item: Pick<Judged, "status" | "activeRun">): boolean {
  return !isInProgress(item);
}
