import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { regionOf, type Shard } from "#core/database/shards.ts";
import { invariant } from "#core/kernel/invariant.ts";
import type { Uses } from "#core/services.ts";
import { copyOrganisation } from "./copy-organisation.ts";
import { freeze, setDoor } from "./doors.store.ts";
import { BEAT_EVERY_MS, FEW_DIFFERENCES, KNOWN_AFTER_MS, MOST_LAST_PASSES } from "./limits.ts";
import { beatMove, findMove, findPlace, type Move, switchMove, takeMove } from "./moves.store.ts";
import { removeOldRows } from "./remove-old-rows.ts";
import { tellLedgers } from "./settle-moves.ts";
import type { MoveEvent, MoveServices } from "./types.ts";

/**
 * Moves an organisation to another ledger of its region, or removes the rows that it left behind an hour ago or earlier,
 * when it is there already. It can be stopped at any time and repeated: it takes the move up, and a command that had it
 * fails at its next write. Versions can be read all the while. Nothing of the organisation is written in that region
 * during the last pass: open runs wait for their lease to end, and go on at the target.
 *
 * @throws Error when the organisation is not known, moves elsewhere, or the target is not known to every isolate
 */
export async function* moveOrganisation(
  s: MoveServices,
  order: { organisationId: string; target: Shard },
): AsyncGenerator<MoveEvent, void> {
  const key = { organisationId: order.organisationId, region: regionOf(order.target) };
  const last = await findMove(s.control, key);
  // Decided, but its command died before the ledgers knew.
  if (last?.state === "switched" || last?.state === "undone") await tellLedgers(s, last);
  const now = s.clock.now();
  const move = await takeMove(s.control, { ...order, knownSince: now - KNOWN_AFTER_MS, now });
  if (!move) {
    await assertIsThere(s, order);
    if (last?.state === "switched") yield { type: "moved", source: last.source, target: last.target };
    yield* removeOldRows(s, order);
    return;
  }
  yield* carryOver(s, move);
}

/** Copies until few rows differ, closes the source, copies what is left, and switches. */
async function* carryOver(
  s: Uses<"clock" | "control" | "ledger">,
  move: Move,
): AsyncGenerator<MoveEvent, void> {
  const [source, target] = [move.source, move.target].map((shard) => s.ledger(shard)) as [
    LedgerDatabase,
    LedgerDatabase,
  ];
  await setDoor(target, move, { state: "arriving", now: s.clock.now() });
  // A command before this one may have closed it.
  await setDoor(source, move, { state: "copying", now: s.clock.now() });
  const copy = { source, target, asker: move, afterPage: heartOf(s, move) };
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    const changed = await copyOrganisation(copy);
    yield { type: "copied", changed, isClosed: false };
    // It may write as fast as it is copied.
    if (changed <= FEW_DIFFERENCES || changed > before / 2) break;
    before = changed;
  }
  assertMine(await freeze(source, move, s.clock.now()));
  // Only a pass that finds nothing proves that the two are equal.
  for (let pass = 1; ; pass++) {
    const changed = await copyOrganisation(copy);
    yield { type: "copied", changed, isClosed: true };
    if (changed === 0) break;
    if (pass >= MOST_LAST_PASSES)
      throw new Error(`After ${pass} passes, ${changed} rows still differ. The move will be undone.`);
  }
  assertMine(await switchMove(s.control, move));
  await tellLedgers(s, { ...move, state: "switched" });
  yield { type: "moved", source: move.source, target: move.target };
}

/** Reports now and then that the command is alive. @throws Error when the move is no longer its own */
function heartOf(s: Uses<"clock" | "control">, move: Move): () => Promise<void> {
  let last = s.clock.now();
  return async () => {
    const now = s.clock.now();
    if (now - last < BEAT_EVERY_MS) return;
    assertMine(await beatMove(s.control, move, now));
    last = now;
  };
}

function assertMine(isMine: boolean): void {
  if (!isMine) throw new Error("Another command has taken this move up, or it was undone. Nothing is lost.");
}

/** Says why no move began. @throws Error unless the organisation is at the target */
async function assertIsThere(
  { control }: Uses<"control">,
  { organisationId, target }: { organisationId: string; target: Shard },
): Promise<void> {
  const region = regionOf(target);
  const place = await findPlace(control, { organisationId, region });
  if (place === target) return;
  if (place === null) throw new Error(`There is no organisation ${organisationId}.`);
  const move = await findMove(control, { organisationId, region });
  if (move?.state === "copying" && move.target !== target)
    throw new Error(`It is moving to ${move.target}. Finish that, or stop its command and wait 15 minutes.`);
  invariant(move?.state !== "switched", "a decided move was not settled");
  throw new Error(`${target} has not been measured for an hour: isolates may run that do not know it.`);
}
