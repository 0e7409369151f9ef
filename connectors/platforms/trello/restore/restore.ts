import type {
  RestoredItem,
  RestoreEvent,
  RestoreJournal,
  RestoreOrder,
  Session,
} from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { newWhole } from "#connectors/toolkit/records/new-whole.ts";
import { restoreBoard } from "./restore-board.ts";
import { restorePart } from "./restore-part.ts";

/** Restores a board as a new one, or one card or list onto a new or an existing board. */
export async function* restore(
  session: Session,
  snapshot: SnapshotView,
  { target, part }: RestoreOrder,
  journal: RestoreJournal,
): AsyncGenerator<RestoreEvent, RestoredItem> {
  return yield* part === null
    ? restoreBoard(session, snapshot, newWhole({ target, part }), journal)
    : restorePart(session, snapshot, { target, path: part }, journal);
}
