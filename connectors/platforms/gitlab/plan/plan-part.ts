import type { RestoreOrder } from "#connectors/contract/platform-connector.ts";
import type { RestorePlan } from "#connectors/contract/restore-plan.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { planBranch } from "#connectors/toolkit/git/repository/plan-branch.ts";
import { existingPart } from "#connectors/toolkit/records/existing-part.ts";
import type { PlanSheet } from "#connectors/toolkit/records/plan-sheet.ts";
import { GIT } from "../git-platform.ts";
import { projectRecordSchema } from "../read/project-record.ts";
import { recordPaths } from "../record-paths.ts";
import { type IssuablePart, partEnding, partLines, textsOf } from "../restore/issuable-part.ts";
import { readPart } from "../restore/read-part.ts";
import { SYSTEM_NOTES } from "../restore/restore-issues.ts";
import { pacedMs } from "../restore/restore-pace.ts";
import { filesLinkedFrom } from "../restore/restore-uploads.ts";

/** Plans a `restorePart`. Does not know what the project has; the restore reads that. */
export async function planPart(
  sheet: PlanSheet,
  snapshot: SnapshotView,
  order: RestoreOrder,
): Promise<RestorePlan> {
  const { part: path } = existingPart(order);
  const part = await readPart(snapshot, path);
  if (part.type === "issuable") return await planIssuable(sheet, snapshot, part.issuable);
  if (part.type === "file") {
    await planBranch(sheet, snapshot, { ...part, prefix: GIT });
    return sheet.done();
  }
  const labels = snapshot.counts().label ?? 0;
  sheet.creates("label", labels);
  // The project and the labels that it has.
  sheet.spend({ reads: 2, writes: labels });
  return sheet.done();
}

async function planIssuable(
  sheet: PlanSheet,
  snapshot: SnapshotView,
  part: IssuablePart,
): Promise<RestorePlan> {
  const source = projectRecordSchema.parse(await snapshot.readRecord(recordPaths.project));
  const files = await filesLinkedFrom(snapshot, source, textsOf(part));
  const written = part.notes.filter(({ system }) => !system).length;
  sheet.creates("issue", 1);
  sheet.creates("note", written);
  sheet.creates("upload", files.length);
  for (const line of partLines(part)) sheet.tell(line);
  if (part.notes.length - written + part.group.events > 0) sheet.tell(SYSTEM_NOTES);
  // The project, its labels and its milestones; then the files, the issue and its comments.
  const { labels, milestone } = part.source;
  sheet.spend({ reads: 1 + Number(labels.length > 0) + Number(Boolean(milestone)) });
  sheet.spend({ writes: 1 + written, creations: 1 + written, waitMs: await pacedMs([written]) });
  sheet.spend({ writes: files.length, bytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) });
  sheet.spend({ writes: Number(Object.keys(partEnding(part)).length > 0) });
  return sheet.done();
}
