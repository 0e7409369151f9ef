import type { BackupEvent, BackupOrder, Session } from "#connectors/contract/platform-connector.ts";
import { runStages } from "#connectors/toolkit/records/run-stages.ts";
import { bookPart } from "./back-up-book.ts";
import { listStages } from "./back-up-lists.ts";
import { readersPart } from "./back-up-readers.ts";

/**
 * A book as records: its pages and registers, each row and comment by itself, then the bytes of files beside the page
 * or row that holds them. Files of the previous version are kept without a request.
 */
export async function* backUp(session: Session, order: BackupOrder): AsyncIterable<BackupEvent> {
  yield* runStages([bookPart, ...listStages, readersPart], session, order);
}
