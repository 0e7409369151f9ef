import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import { QUEUE_PATIENCE_MS, RUNS_OF_AN_ACCOUNT, TURN_PATIENCE_MS } from "./limits.ts";
import type { RunKind, RunRow } from "./run-row.ts";

/*
 * Turns: of the runs that come in masses, one connected account has a bounded number at work, so that a customer with
 * thousands of items holds back no other, and no platform is asked by hundreds at once. A run beyond that is put aside; each
 * one that stops offers the next. Should it die instead, the sweep offers those that were put aside when their patience ends.
 */

/** Kinds that take turns. People wait for the others. */
const KINDS: readonly RunKind[] = ["backup", "verify", "repack"];
const TAKES_TURNS = `('${KINDS.join("', '")}')`;

/** SQL text that is true for a run that may begin to work. */
export const HAS_TURN = `(kind NOT IN ${TAKES_TURNS} OR (SELECT count(*) FROM run other
  WHERE other.connection_id = run.connection_id AND other.status = 'running' AND other.kind IN ${TAKES_TURNS}
    AND other.id <> run.id) < ${RUNS_OF_AN_ACCOUNT})`;

/** Statement that puts a run aside that could not be claimed for want of a turn. */
export function putAside(
  ledger: LedgerDatabase,
  claim: { runId: string; epoch: number; now: number },
): D1PreparedStatement {
  return statement(
    ledger,
    `UPDATE run SET waits_turn = 1, lease_until = ?3 WHERE id = ?1 AND epoch = ?2 AND status = 'queued'
       AND NOT ${HAS_TURN}`,
    claim.runId,
    claim.epoch,
    claim.now + TURN_PATIENCE_MS,
  );
}

/** Whether runs of this kind take turns. */
export const takesTurns = (kind: RunKind) => KINDS.includes(kind);

/** Takes the next run of an account that was put aside: backups first, the oldest first. Null = none waits. */
export async function takeNextTurn(
  ledger: LedgerDatabase,
  connectionId: string,
  now: number,
): Promise<Pick<RunRow, "id" | "kind" | "epoch"> | null> {
  const [taken] = await commitTogether(ledger, [
    statement(
      ledger,
      `UPDATE run SET waits_turn = 0, lease_until = ?2 WHERE id = (SELECT next.id FROM run next
         WHERE next.connection_id = ?1 AND next.waits_turn = 1 ORDER BY next.kind, next.created_at LIMIT 1)
       RETURNING id, kind, epoch`,
      connectionId,
      now + QUEUE_PATIENCE_MS,
    ),
  ]);
  const row = taken?.results[0] as Pick<RunRow, "id" | "kind" | "epoch"> | undefined;
  return row ?? null;
}
