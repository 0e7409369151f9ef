import type { BackupEvent, BackupOrder, Session } from "#connectors/contract/platform-connector.ts";
import { runParts } from "#connectors/toolkit/records/run-parts.ts";
import { bookPart } from "./back-up-book.ts";
import { listParts } from "./back-up-lists.ts";

/**
 * A book as records: its pages and registers, each row and comment by itself, then the bytes of files beside the page
 * or row that holds them. Files of the previous version are kept without a request.
 */
export async function* backUp(session: Session, order: BackupOrder): AsyncIterable<BackupEvent> {
  yield* runParts([bookPart, ...listParts], session, order);
}
