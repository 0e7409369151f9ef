import type { RestoreOrder, Session } from "#connectors/contract/platform-connector.ts";
import type { RestorePlan } from "#connectors/contract/restore-plan.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { newWhole } from "#connectors/toolkit/records/new-whole.ts";
import { openPlanSheet } from "#connectors/toolkit/records/plan-sheet.ts";
import { readSome } from "#connectors/toolkit/records/sample-folder.ts";
import { readGit } from "../read/read-git.ts";
import { snippetRecordSchema } from "../read/snippet-record.ts";
import { recordPaths } from "../record-paths.ts";
import { readNotes } from "../restore/restore-notes.ts";
import { LIMITS, pacedMs } from "../restore/restore-pace.ts";
import { readAnswers } from "../restore/restore-questions.ts";
import { privateInstead, withoutComments } from "../restore/restore-snippet.ts";
import { restoredKinds } from "../restored-kinds.ts";
import { planPart } from "./plan-part.ts";
import { planProject } from "./plan-project.ts";

/** Most comments to read of a snippet when estimating its share of system notes. */
const MOST_NOTES = 60;

/** Plans a restore: goes through the same parts in the same order as `restore`, but counts instead of creating. */
export async function planRestore(
  account: Pick<Session, "accountName">,
  snapshot: SnapshotView,
  order: RestoreOrder,
): Promise<RestorePlan> {
  const sheet = openPlanSheet(restoredKinds, LIMITS);
  if (order.part !== null) return await planPart(sheet, snapshot, order);
  const target = newWhole(order);
  if ((await snapshot.find(recordPaths.project)) !== null) {
    return await planProject(sheet, { account, snapshot, target, answers: readAnswers(order) });
  }
  const source = snippetRecordSchema.parse(await snapshot.readRecord(recordPaths.snippet));
  const { refs, chain } = await readGit(snapshot);
  sheet.creates("snippet", 1);
  for (const line of privateInstead(source)) sheet.tell(line);
  if (refs.refs.length > 0 && chain.packs.length > 0) sheet.creates("branch", 1);
  // The check whether its project exists, then the snippet and its description.
  sheet.spend({ reads: source.projectId === null ? 0 : 1, writes: 2 });
  sheet.spend({ bytes: chain.packs.reduce((sum, { bytes }) => sum + bytes, 0) });
  const count = snapshot.counts().note ?? 0;
  if (count === 0) return sheet.done();
  if (source.projectId === null) {
    sheet.tell(withoutComments(count));
    return sheet.done();
  }
  const paths: string[] = [];
  for await (const { path } of snapshot.list(recordPaths.notes)) {
    if (paths.push(path) === MOST_NOTES) break;
  }
  if (paths.length < count) sheet.estimate();
  const read = (await readSome(paths, (path) => readNotes(snapshot, [path]))).flat();
  const notes = Math.round((read.filter(({ system }) => !system).length / read.length) * count);
  sheet.creates("note", notes);
  // `pacedMs` counts an issue before the notes; a snippet has none.
  sheet.spend({ reads: 1, writes: notes, creations: notes, waitMs: await pacedMs([notes]) });
  return sheet.done();
}
