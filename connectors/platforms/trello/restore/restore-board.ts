import type {
  NewTarget,
  RestoredItem,
  RestoreEvent,
  RestoreJournal,
  Session,
} from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { openMaker } from "#connectors/toolkit/records/make-once.ts";
import { trelloClient } from "../client.ts";
import { boardSchema } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import { readMemberId } from "./read-member-id.ts";
import { restoreCards } from "./restore-cards.ts";
import { restoreFrame } from "./restore-frame.ts";
import type { RestoreIo } from "./restore-io.ts";
import { reportKept } from "./restore-kept.ts";
import { finishLists } from "./restore-lists.ts";
import { restoreSettings } from "./restore-settings.ts";
import { createTarget, wasBegun } from "./restore-target.ts";

/**
 * Restores a board as a new one in the chosen workspace: labels, lists and custom fields, then each card with its
 * contents, and finally the archived state. It journals each creation before the next one, so a replay creates no
 * duplicates.
 */
export async function* restoreBoard(
  session: Session,
  snapshot: SnapshotView,
  target: NewTarget,
  journal: RestoreJournal,
): AsyncGenerator<RestoreEvent, RestoredItem> {
  const source = boardSchema.parse(await snapshot.readRecord(recordPaths.board));
  const client = trelloClient(session);
  const maker = openMaker(session, await wasBegun(journal));
  const memberId = await readMemberId(session, client);
  const created = yield* createTarget({ session, client, journal }, { source, target });
  const io: RestoreIo = { session, client, snapshot, journal, maker, boardId: created.externalId, memberId };
  const frame = yield* restoreFrame(io);
  yield* restoreCards(io, frame);
  yield* finishLists(io, frame);
  yield* restoreSettings(io, source);
  yield* reportKept(io);
  return created;
}
