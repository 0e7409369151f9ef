import type { RestoreOrder, Session } from "#connectors/contract/platform-connector.ts";
import type { CallLimit, RestorePlan } from "#connectors/contract/restore-plan.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { openPlanSheet, type PlanSheet } from "#connectors/toolkit/records/plan-sheet.ts";
import { sumBytes } from "#connectors/toolkit/records/sample-folder.ts";
import { quotas } from "../client.ts";
import { entryKinds } from "../entry-kinds.ts";
import { recordPaths } from "../record-paths.ts";
import { matchedRegisters, readAnswers } from "../restore/answers.ts";
import { knownLines } from "../restore/report-lines.ts";
import { ROWS_PER_CALL } from "../restore/restore-rows.ts";
import { rootsOf } from "../restore/restored-part.ts";
import { registersOf } from "../restore/things-of.ts";
import { countPart, type PartCounts } from "./count-part.ts";

const LIMITS: readonly CallLimit[] = quotas
  .filter(({ isNamed }) => isNamed !== true)
  .map(({ points, perMs }) => ({ of: "calls", resource: null, most: points, periodMs: perMs }));

/** Plans a restore: a whole version by its counts, a part by walking down from it. */
export async function planRestore(
  _account: Pick<Session, "accountName">,
  snapshot: SnapshotView,
  order: RestoreOrder,
): Promise<RestorePlan> {
  const sheet = openPlanSheet(entryKinds, LIMITS);
  const roots = await rootsOf(snapshot, order);
  const answers = readAnswers(order);
  const isNew = order.target.kind === "new";
  const matches = isNew ? new Map() : matchedRegisters(answers.columns);
  const registers = await registersOf(snapshot, order);
  const counts = order.part === null ? await wholeCounts(snapshot) : await countPart(snapshot, order, roots);
  const matched = registers.filter(({ id }) => matches.has(id)).length;
  const hasComments = answers.comments && (snapshot.counts().comment ?? 0) > 0;
  const hasReaders = order.part === null && (snapshot.counts().readers ?? 0) > 0;
  if (isNew) {
    sheet.creates("book", 1);
    sheet.spend({ writes: 1, creations: 1 });
  } else sheet.spend({ reads: matches.size > 0 ? 2 : 1 });
  addCounts(sheet, {
    ...counts,
    register: Math.max(0, counts.register - matched),
    comment: hasComments ? counts.comment : 0,
  });
  for (const line of knownLines(registers, { hasComments, hasReaders, matches })) sheet.tell(line);
  return sheet.done();
}

async function wholeCounts(snapshot: SnapshotView): Promise<PartCounts> {
  const { page = 0, register = 0, row = 0, comment = 0, file = 0 } = snapshot.counts();
  const bytes = await sumBytes(snapshot, { prefix: recordPaths.pages, kind: "file", count: file });
  return { page, register, row, comment, file, bytes, isWhole: true };
}

function addCounts(sheet: PlanSheet, counts: PartCounts): void {
  const { page, register, row, comment, file, bytes, isWhole } = counts;
  for (const [kind, count] of Object.entries({ page, register, row, comment, file }))
    sheet.creates(kind, count);
  const rowCalls = Math.ceil(row / ROWS_PER_CALL);
  // Comments travel together, but at least once for each page or row that has some.
  const commentCalls = Math.min(comment, page + row);
  const creations = page + register + rowCalls + commentCalls + file;
  sheet.spend({ writes: creations, creations, bytes });
  if (!isWhole) sheet.estimate();
}
