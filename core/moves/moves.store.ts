import { asc, eq, sql } from "drizzle-orm";
import { ledgerMove, organisation } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import { regionOf, type Shard } from "#core/database/shards.ts";
import { commitTogether, statement } from "#core/database/statements.ts";

/** The last move of an organisation in a region. */
export type Move = typeof ledgerMove.$inferSelect;

type Key = Pick<Move, "organisationId" | "region">;

/** SQL: the ledger of an organisation in the region ?2. */
const PLACE = "coalesce(shards->>('$.' || ?2), ?2)";

/**
 * Begins a move, or takes an unfinished one up with a new epoch, so that the command that had it can do nothing more.
 *
 * @param knownSince The target must have been measured first before this time, epoch ms.
 * @returns Null when the organisation is at the target already, is not known, moves elsewhere, or the target is too new.
 */
export async function takeMove(
  control: ControlDatabase,
  order: { organisationId: string; target: Shard; knownSince: number; now: number },
): Promise<Move | null> {
  const { organisationId, target, knownSince, now } = order;
  const region = regionOf(target);
  const [taken] = await commitTogether(control, [
    statement(
      control,
      `INSERT INTO ledger_move (organisation_id, region, source, target, state, epoch, beat_at)
       SELECT id, ?2, ${PLACE}, ?3, 'copying', 1, ?4 FROM organisation WHERE id = ?1 AND ${PLACE} <> ?3
         AND EXISTS (SELECT 1 FROM ledger_shard WHERE name = ?3 AND since <= ?5)
       ON CONFLICT (organisation_id, region) DO UPDATE SET source = excluded.source, target = excluded.target,
         state = 'copying', epoch = epoch + 1, beat_at = excluded.beat_at
       WHERE state = 'done' OR state = 'copying' AND target = excluded.target
       RETURNING source, epoch`,
      organisationId,
      region,
      target,
      now,
      knownSince,
    ),
  ]);
  const row = taken!.results[0] as Pick<Move, "source" | "epoch"> | undefined;
  return row ? { organisationId, region, ...row, target, state: "copying", beatAt: now } : null;
}

/** The last move of an organisation in a region. */
export async function findMove(control: ControlDatabase, key: Key): Promise<Move | null> {
  const moves = await control
    .select()
    .from(ledgerMove)
    .where(eq(ledgerMove.organisationId, key.organisationId));
  return moves.find(({ region }) => region === key.region) ?? null;
}

/** The ledger of an organisation in a region; null when there is no such organisation. */
export async function findPlace(
  control: ControlDatabase,
  { organisationId, region }: Key,
): Promise<Shard | null> {
  const row = await control
    .select({ shards: organisation.shards })
    .from(organisation)
    .where(eq(organisation.id, organisationId))
    .get();
  return row ? (row.shards?.[region] ?? region) : null;
}

/** Every move that is not done. The condition is the text of the index `ledger_move_open`. */
export function listOpenMoves(control: ControlDatabase): Promise<Move[]> {
  return control.select().from(ledgerMove).where(sql`state <> 'done'`).orderBy(asc(ledgerMove.beatAt));
}

/** Tells that the command of a move is alive. Returns false when it has the move no longer. */
export const beatMove = (control: ControlDatabase, move: Move, now: number) =>
  changeMove(control, move, { from: "copying", set: "beat_at = ?4", value: now });

/** Undoes a move whose command has been silent since before `silentSince`. Returns false when it was not undone. */
export const undoMove = (control: ControlDatabase, move: Move, silentSince: number) =>
  changeMove(control, move, {
    from: "copying",
    set: "state = 'undone', epoch = epoch + 1",
    and: "beat_at < ?4",
    value: silentSince,
  });

/** Notes that both ledgers know how the move ended. */
export const endMove = (control: ControlDatabase, move: Move) =>
  changeMove(control, move, { from: move.state, set: "state = 'done'", and: "?4 = 0", value: 0 });

/**
 * Names the target as the organisation's ledger: from here on it lives there. One transaction decides the move.
 *
 * @returns False when the command has the move no longer: then it is undone, or another command goes on.
 */
export async function switchMove(control: ControlDatabase, move: Move): Promise<boolean> {
  const isMine = `EXISTS (SELECT 1 FROM ledger_move WHERE organisation_id = ?1 AND region = ?2 AND epoch = ?3
    AND state = 'copying' AND target = ?4)`;
  const values = [move.organisationId, move.region, move.epoch, move.target] as const;
  const [, switched] = await commitTogether(control, [
    statement(
      control,
      `UPDATE organisation SET shards = json_set(coalesce(shards, '{}'), '$.' || ?2, ?4) WHERE id = ?1 AND ${isMine}`,
      ...values,
    ),
    statement(
      control,
      `UPDATE ledger_move SET state = 'switched' WHERE organisation_id = ?1 AND region = ?2 AND ${isMine}
       RETURNING state`,
      ...values,
    ),
  ]);
  return switched!.results.length > 0;
}

/** Changes a move that is still in this epoch and state. `value` is ?4. */
async function changeMove(
  control: ControlDatabase,
  { organisationId, region, epoch }: Move,
  { from, set, and = "1", value }: { from: Move["state"]; set: string; and?: string; value: number },
): Promise<boolean> {
  const [changed] = await commitTogether(control, [
    statement(
      control,
      `UPDATE ledger_move SET ${set} WHERE organisation_id = ?1 AND region = ?2 AND epoch = ?3 AND state = ?5 AND ${and}
       RETURNING epoch`,
      organisationId,
      region,
      epoch,
      value,
      from,
    ),
  ]);
  return changed!.results.length > 0;
}
