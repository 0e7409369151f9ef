import { eq } from "drizzle-orm";
import { movingOrganisation } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";

/** What a ledger knows of an organisation that moves or has moved. */
export type Door = typeof movingOrganisation.$inferSelect;

/** Who asks: the move's epoch is the fence. */
export type Asker = { organisationId: string; epoch: number };

/** The ledger's row of an organisation; null when it never moved. */
export async function findDoor(ledger: LedgerDatabase, organisationId: string): Promise<Door | null> {
  const door = await ledger
    .select()
    .from(movingOrganisation)
    .where(eq(movingOrganisation.organisationId, organisationId))
    .get();
  return door ?? null;
}

/**
 * Sets what the organisation is to this ledger, unless a later epoch has. The same state again changes nothing: since when
 * it holds is kept.
 */
export async function setDoor(
  ledger: LedgerDatabase,
  { organisationId, epoch }: Asker,
  { state, now }: { state: "home" | "copying" | "arriving" | "left"; now: number },
): Promise<void> {
  await commitTogether(ledger, [
    statement(
      ledger,
      `INSERT INTO moving_organisation (organisation_id, state, is_closed, epoch, since, has_rows)
       VALUES (?1, ?3, ?3 IN ('arriving', 'left'), ?2, ?4, 1)
       ON CONFLICT (organisation_id) DO UPDATE SET state = excluded.state, is_closed = excluded.is_closed,
         epoch = excluded.epoch, since = excluded.since, has_rows = 1
       WHERE epoch < excluded.epoch OR epoch = excluded.epoch AND state <> excluded.state`,
      organisationId,
      epoch,
      state,
      now,
    ),
  ]);
}

/** Ends writing at the source. Returns false when the command has the move no longer. */
export async function freeze(
  ledger: LedgerDatabase,
  { organisationId, epoch }: Asker,
  now: number,
): Promise<boolean> {
  const [frozen] = await commitTogether(ledger, [
    statement(
      ledger,
      `UPDATE moving_organisation SET state = 'frozen', is_closed = 1, since = ?3
       WHERE organisation_id = ?1 AND epoch = ?2 AND state = 'copying' RETURNING state`,
      organisationId,
      epoch,
      now,
    ),
  ]);
  return frozen!.results.length > 0;
}

/**
 * Runs statements at a closed ledger in one transaction, which opens it before and closes it after. Nobody else sees it
 * open.
 *
 * @param state The state that the ledger must have.
 * @throws Error when it has another state, or a later epoch: a column that takes no null gets one.
 */
export async function writeClosed(
  ledger: LedgerDatabase,
  { organisationId, epoch }: Asker,
  state: "arriving" | "left",
  statements: readonly D1PreparedStatement[],
): Promise<D1Result<Record<string, unknown>>[]> {
  const results = await commitTogether(ledger, [
    statement(
      ledger,
      `INSERT INTO moving_organisation (organisation_id, state, is_closed, epoch, since)
       VALUES (?1, (SELECT state FROM moving_organisation WHERE organisation_id = ?1 AND epoch = ?2 AND state = ?3), 0, ?2, 0)
       ON CONFLICT (organisation_id) DO UPDATE SET is_closed = 0`,
      organisationId,
      epoch,
      state,
    ),
    ...statements,
    statement(
      ledger,
      "UPDATE moving_organisation SET is_closed = 1 WHERE organisation_id = ?1",
      organisationId,
    ),
  ]);
  return results.slice(1, -1);
}

/** Notes that no row of the organisation that left is there. */
export async function noteEmpty(ledger: LedgerDatabase, { organisationId, epoch }: Asker): Promise<void> {
  await commitTogether(ledger, [
    statement(
      ledger,
      `UPDATE moving_organisation SET has_rows = 0
       WHERE organisation_id = ?1 AND epoch = ?2 AND state = 'left'`,
      organisationId,
      epoch,
    ),
  ]);
}
