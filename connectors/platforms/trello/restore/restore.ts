import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import { newWhole } from "#connectors/toolkit/records/new-whole.ts";
import { restoreBoard } from "./restore-board.ts";
import { restorePart } from "./restore-part.ts";

/** Restores a board as a NEW one, or one card or list of it onto a new or an existing board. */
export const restore: PlatformConnector["restore"] = async function* (
  session,
  snapshot,
  { target, part },
  journal,
) {
  return yield* part === null
    ? restoreBoard(session, snapshot, newWhole({ target, part }), journal)
    : restorePart(session, snapshot, { target, path: part }, journal);
};
