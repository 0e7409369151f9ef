/**
 * Moves of organisations between the ledgers of a region. An operator's command copies, closes, and switches; the clock ends
 * what a command left behind, so that no ledger stays closed. Versions can be read all the while.
 */
export { isMovingError } from "#core/database/ledger/index.ts";
export { moveOrganisation } from "./move-organisation.ts";
export { settleMoves } from "./settle-moves.ts";
export type { MoveEvent } from "./types.ts";
