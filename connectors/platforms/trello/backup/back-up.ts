import type { BackupEvent, BackupOrder, Session } from "#connectors/contract/platform-connector.ts";
import { runStages } from "#connectors/toolkit/records/run-stages.ts";
import { boardStage } from "./back-up-board.ts";
import { cardsStage } from "./back-up-cards.ts";
import { commentsStage } from "./back-up-comments.ts";
import { historyStage } from "./back-up-history.ts";
import { openBoardSight } from "./board-sight.ts";

/**
 * A board as records: the board with its lists, labels, fields and members, each card with the bytes of its attachments,
 * then the history with all comments. No list of the board is whole in memory, except one of 16 bytes per card. Unchanged
 * records are deduplicated by hash. Files in the previous version are
 * kept without a request.
 */
export async function* backUp(session: Session, order: BackupOrder): AsyncIterable<BackupEvent> {
  const sight = openBoardSight(order);
  const stages = [boardStage(sight), cardsStage(sight), historyStage(sight), commentsStage()];
  yield* runStages(stages, session, order);
}
