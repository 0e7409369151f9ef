import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { readSome, sampleFolder } from "#connectors/toolkit/records/sample-folder.ts";
import { recordPaths } from "../record-paths.ts";
import { type Column, columnId } from "./columns.ts";
import { issuesOf, readIssue } from "./restored-issues.ts";

/** Of larger versions a sample is counted, because the form waits for the numbers. */
const MOST_COUNTED = 5_000;
const MOST_SAMPLED = 500;

/** Issues of columns, by the columns' ids. `isEstimate` = they were projected from a sample. */
export type ColumnCounts = { byColumn: ReadonlyMap<string, number>; isEstimate: boolean };

/** Counts how many issues of a restore are in each column: of the whole version, or of the part. */
export async function countColumns(
  snapshot: SnapshotView,
  { columns, part }: { columns: readonly Column[]; part: string | null },
): Promise<ColumnCounts> {
  const total = snapshot.counts().issue ?? 0;
  const isEstimate = part === null && total > MOST_COUNTED;
  const byStatus = new Map<string, number>();
  let read = 0;
  for await (const status of isEstimate ? sampledStatuses(snapshot, total) : statusesOf(snapshot, part)) {
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
    read += 1;
  }
  const scale = isEstimate && read > 0 ? total / read : 1;
  const countOf = ({ statuses }: Column) =>
    Math.round(scale * statuses.reduce((sum, { id }) => sum + (byStatus.get(id) ?? 0), 0));
  return { byColumn: new Map(columns.map((column) => [columnId(column), countOf(column)])), isEstimate };
}

async function* statusesOf(snapshot: SnapshotView, part: string | null): AsyncGenerator<string> {
  for await (const { issue } of issuesOf(snapshot, part)) yield issue.fields.status.id;
}

async function* sampledStatuses(snapshot: SnapshotView, count: number): AsyncGenerator<string> {
  const { things } = await sampleFolder(snapshot, { prefix: recordPaths.issues, count, most: MOST_SAMPLED });
  const paths = things.map(({ folder }) => `${folder}issue.json`);
  yield* await readSome(paths, async (path) => (await readIssue(snapshot, path)).fields.status.id);
}
