import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import { QUEUE_PATIENCE_MS, RUNS_OF_AN_ACCOUNT, TURN_PATIENCE_MS } from "./limits.ts";
import type { RunKind, RunRow } from "./run-row.ts";

/*
 * Turns. One connection has a limited number of bulk runs at work, so a customer with thousands of items does not block
 * others, and no platform gets hundreds of requests at once. Runs beyond the limit wait for their turn. Each run that
 * stops offers the next one. If it crashes instead, the sweep offers the waiting runs after `TURN_PATIENCE_MS`.
 */

/** Kinds that take turns. People wait for the other kinds. */
const KINDS: readonly RunKind[] = ["backup", "verify", "repack"];
const TAKES_TURNS = `('${KINDS.join("', '")}')`;

/** SQL that is true for a run that may start working. */
export const HAS_TURN = `(kind NOT IN ${TAKES_TURNS} OR (SELECT count(*) FROM run other
  WHERE other.connection_id = run.connection_id AND other.status = 'running' AND other.kind IN ${TAKES_TURNS}
    AND other.id <> run.id) < ${RUNS_OF_AN_ACCOUNT})`;

/** Statement that makes a run wait for its turn when the limit prevented its claim. */
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

/** True for kinds that take turns. */
export const takesTurns = (kind: RunKind) => KINDS.includes(kind);

/** Takes the connection's next waiting run: backups first, then the oldest. Null = none waits. */
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
