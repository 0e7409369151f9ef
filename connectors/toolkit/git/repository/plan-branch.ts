import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { PlanSheet } from "#connectors/toolkit/records/plan-sheet.ts";
import { branchLines } from "./restore-as-branch.ts";
import { contentOf, openTreePart } from "./tree-part.ts";

/** Most files whose sizes are looked up. */
const MOST_MEASURED = 500;

/** Adds a file or folder that comes back as a branch to a plan. It cannot know how much of it the target has. */
export async function planBranch(
  sheet: PlanSheet,
  snapshot: SnapshotView,
  part: { prefix: string; ref: string; path: string },
): Promise<void> {
  const { store, way } = await openTreePart(snapshot, part);
  const last = way.at(-1);
  const { blobs } = last === undefined ? { blobs: [] } : await contentOf(store, last);
  const measured = blobs.slice(0, MOST_MEASURED);
  let bytes = 0;
  for (const oid of measured) bytes += (await store.facts(oid)).sizeBytes;
  sheet.creates("branch", 1);
  for (const line of branchLines(part.path)) sheet.tell(line);
  // The repository; git's own requests do not count.
  sheet.spend({ reads: 1, bytes: measured.length === 0 ? 0 : (bytes / measured.length) * blobs.length });
}
