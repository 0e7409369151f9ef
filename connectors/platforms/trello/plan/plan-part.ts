import type { RestoreTarget, Session } from "#connectors/contract/platform-connector.ts";
import type { RestorePlan } from "#connectors/contract/restore-plan.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { openPlanSheet } from "#connectors/toolkit/records/plan-sheet.ts";
import { entryKinds } from "../entry-kinds.ts";
import { boardSchema } from "../payloads.ts";
import { readPart } from "../read/part-of-board.ts";
import { recordPaths } from "../record-paths.ts";
import { reportArchived, reportLeftOut } from "../restore/restore-part.ts";
import { laterPreferences } from "../restore/restore-settings.ts";
import { reportDifferences } from "../restore/restore-target.ts";
import { findMember, LIMITS, planCards } from "./plan-board.ts";

/** Plans a `restorePart`. Does not know what an existing board already has; the restore reads that. */
export async function planPart(
  account: Pick<Session, "accountName">,
  snapshot: SnapshotView,
  { target, path }: { target: RestoreTarget; path: string },
): Promise<RestorePlan> {
  const sheet = openPlanSheet(entryKinds, LIMITS);
  const part = await readPart(snapshot, path);
  const source = boardSchema.parse(await snapshot.readRecord(recordPaths.board));
  const memberId = await findMember(snapshot, account.accountName);
  for (const line of reportArchived(part)) sheet.tell(line);
  if (target.kind === "new") {
    sheet.creates("board", 1);
    for (const line of reportDifferences(source, target)) sheet.tell(line);
    sheet.creates("list", 1);
    sheet.creates("label", part.labels.length);
    sheet.creates("custom-field", part.fields.length);
    const made = 2 + part.labels.length + part.fields.length;
    sheet.spend({ reads: 1, writes: 1 + made + laterPreferences(source).length, creations: made });
  } else {
    // The board, its lists, labels, fields and cards are read before anything is created.
    if (part.kind === "list") sheet.creates("list", 1);
    sheet.spend({ reads: 6, writes: 1, creations: 1 });
  }
  const cards = part.cards.map(({ card }) => (part.kind === "card" ? { ...card, closed: false } : card));
  planCards(sheet, { cards, share: 1, source, memberId });
  let files = 0;
  let bytes = 0;
  let comments = 0;
  for (const { id } of cards) {
    for await (const entry of snapshot.list(recordPaths.attachment(id, ""))) {
      files += 1;
      bytes += entry.sizeBytes;
    }
    for await (const _ of snapshot.list(recordPaths.commentsOf(id))) comments += 1;
  }
  sheet.creates("attachment", files);
  sheet.spend({ reads: files, writes: files, creations: files, bytes });
  sheet.creates("comment", comments);
  sheet.spend({ writes: comments, creations: comments });
  for (const line of reportLeftOut(part, memberId)) sheet.tell(line);
  return sheet.done();
}
