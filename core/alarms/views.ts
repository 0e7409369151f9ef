/** The loss between two versions that raises an alarm: reaching either limit suffices. */
export type AlarmLimits = {
  /** Percent of a kind, or of the branches and tags, 1 to 100. */
  lostPercent: number;
  /** Entries of a kind, or branches and tags, at once. */
  lostCount: number;
};

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
