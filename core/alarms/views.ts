/** An unacknowledged alarm. */
export type AlarmView = {
  id: string;
  kind: "mass-deletion" | "history-rewrite" | "size-cliff" | "stale";
  message: string;
  /** The version that raised it; empty for a `stale` alarm of an item that never had one. */
  snapshotId: string;
  /** The version that the alarm keeps from expiring. */
  keptSnapshotId: string | null;
  createdAt: number;
};
