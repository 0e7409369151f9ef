/** An alarm that nobody has acknowledged. */
export type AlarmView = {
  id: string;
  kind: "mass-deletion" | "history-rewrite" | "size-cliff" | "stale";
  message: string;
  /** The version that raised it; empty for the silence of an item that never had one. */
  snapshotId: string;
  /** The version that it keeps. */
  keptSnapshotId: string | null;
  createdAt: number;
};
