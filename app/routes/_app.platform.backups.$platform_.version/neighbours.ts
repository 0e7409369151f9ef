import type { HistoryRow } from "#core/backups/views.ts";

/** A version that can be opened. */
export type Neighbour = { snapshotId: string; date: number };

/** The versions before and after one, of rows with the newest first. Null = none among these rows. */
export function neighboursOf(
  rows: readonly Pick<HistoryRow, "type" | "status" | "snapshotId" | "date">[],
  snapshotId: string,
): { before: Neighbour | null; after: Neighbour | null } {
  const versions = rows.flatMap((row): Neighbour[] =>
    row.type === "backup" && row.status === "success" && row.snapshotId !== null
      ? [{ snapshotId: row.snapshotId, date: row.date }]
      : [],
  );
  const at = versions.findIndex((version) => version.snapshotId === snapshotId);
  if (at < 0) return { before: null, after: null };
  return { before: versions[at + 1] ?? null, after: versions[at - 1] ?? null };
}
