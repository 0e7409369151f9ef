import { useState } from "react";
import type { HistoryRow } from "#core/backups/views.ts";

/** A ticked version. */
export type Tick = { snapshotId: string; date: number };

/** The versions ticked for a comparison: at most two. */
export type Ticks = {
  /** The older one first. */
  rows: readonly Tick[];
  has: (row: Pick<HistoryRow, "snapshotId">) => boolean;
  toggle: (row: Pick<HistoryRow, "snapshotId" | "date">) => void;
  clear: () => void;
};

/** Keeps the ticks while pages of the history are turned. */
export function useTicks(): Ticks {
  const [rows, setRows] = useState<readonly Tick[]>([]);
  return {
    rows: [...rows].sort((a, b) => a.date - b.date),
    has: ({ snapshotId }) => rows.some((row) => row.snapshotId === snapshotId),
    toggle: (row) => setRows((before) => toggled(before, row)),
    clear: () => setRows([]),
  };
}

/** The ticks after a click on a row, in the order of the clicks. A third tick replaces the first one. */
export function toggled(
  ticks: readonly Tick[],
  { snapshotId, date }: Pick<HistoryRow, "snapshotId" | "date">,
): readonly Tick[] {
  if (snapshotId === null) return ticks;
  const others = ticks.filter((tick) => tick.snapshotId !== snapshotId);
  return others.length < ticks.length ? others : [...others, { snapshotId, date }].slice(-2);
}

/** True for a version that can be read. */
export function isComparable(row: Pick<HistoryRow, "type" | "status" | "snapshotId">): boolean {
  return row.type === "backup" && row.status === "success" && row.snapshotId !== null;
}
