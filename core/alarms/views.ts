/** An alarm that nobody has acknowledged. */
export type AlarmView = {
  id: string;
  kind: "mass-deletion" | "history-rewrite" | "size-cliff" | "stale";
  message: string;
  /** The version that raised it. */
  snapshotId: string;
  /** The version that it keeps. */
  keptSnapshotId: string | null;
  createdAt: number;
};
