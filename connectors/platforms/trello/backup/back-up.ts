import type { BackupEvent, BackupOrder, Session } from "#connectors/contract/platform-connector.ts";
import { runParts } from "#connectors/toolkit/records/run-parts.ts";
import { boardPart } from "./back-up-board.ts";
import { cardsPart } from "./back-up-cards.ts";
import { commentsPart } from "./back-up-comments.ts";
import { historyPart } from "./back-up-history.ts";
import { openBoardSight } from "./board-sight.ts";

/**
 * A board as records: the board with its lists, labels, fields and members, the history with all comments, then each
 * card with the bytes of its attachments. Unchanged records are deduplicated by hash. Files in the previous version are
 * kept without a request.
 */
export async function* backUp(session: Session, order: BackupOrder): AsyncIterable<BackupEvent> {
  const sight = openBoardSight(order);
  const parts = [boardPart(sight), historyPart(sight), commentsPart(sight), cardsPart(sight)];
  yield* runParts(parts, session, order);
}
