import type { Shard } from "#core/database/shards.ts";
import { logger } from "#core/kernel/logger.ts";
import type { Uses } from "#core/services.ts";
import { setDoor } from "./doors.store.ts";
import { SILENT_MS } from "./limits.ts";
import { endMove, findMove, listOpenMoves, type Move, undoMove } from "./moves.store.ts";

type SettleServices = Uses<"clock" | "control" | "ledger">;

const log = logger("moves");

/**
 * Every minute: ends moves that their commands left. Before the switch a move is undone after 15 minutes of silence, and
 * after the switch both ledgers get its result. So a ledger never stays closed because a command died.
 */
export async function settleMoves(s: SettleServices): Promise<void> {
  for (const move of await listOpenMoves(s.control)) {
    try {
      await settle(s, move);
    } catch (cause) {
      log.error("the move of {organisationId} to {target} could not be settled", { ...move, cause });
    }
  }
}

async function settle(s: SettleServices, move: Move): Promise<void> {
  if (move.state !== "copying") return tellLedgers(s, move);
  if (!(await undoMove(s.control, move, s.clock.now() - SILENT_MS))) return;
  const undone = await findMove(s.control, move);
  log.warn("the move of {organisationId} to {target} is undone: its command was silent", { ...move });
  if (undone?.state === "undone") await tellLedgers(s, undone);
}

/**
 * Tells both ledgers how a move was decided: where the organisation lives opens, the other stays closed. Anybody may
 * repeat it, also late: a ledger that a later command has written to does not change.
 */
export async function tellLedgers(s: SettleServices, move: Move): Promise<void> {
  const now = s.clock.now();
  const [home, other] = move.state === "switched" ? [move.target, move.source] : [move.source, move.target];
  const tell = (shard: Shard, state: "home" | "left") => setDoor(s.ledger(shard), move, { state, now });
  // Never are both open.
  await tell(other, "left");
  await tell(home, "home");
  await endMove(s.control, move);
}
