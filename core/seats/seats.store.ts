import type { ControlDatabase } from "#core/database/ledgers.ts";
import { statement } from "#core/database/statements.ts";

/**
 * Takes accounts of these platforms whose seats are due, and moves their next turn to `nextAt`. Two callers at once never
 * get the same account.
 */
export async function claimSeatCounts(
  control: ControlDatabase,
  {
    platforms,
    now,
    nextAt,
    limit,
  }: { platforms: readonly string[]; now: number; nextAt: number; limit: number },
): Promise<{ id: string; organisationId: string }[]> {
  const { results } = await statement(
    control,
    `UPDATE connection SET seats_due_at = ?3
     WHERE id IN (
       SELECT id FROM connection
       WHERE platform IN (SELECT value FROM json_each(?1)) AND seats_due_at <= ?2
         AND status = 'active' AND is_confirmed = 1
       LIMIT ?4)
     RETURNING id, organisation_id AS organisationId`,
    JSON.stringify(platforms),
    now,
    nextAt,
    limit,
  ).all<{ id: string; organisationId: string }>();
  return results;
}

type Account = { organisationId: string; connectionId: string };

/** Records a count. */
export async function saveSeats(
  control: ControlDatabase,
  { organisationId, connectionId }: Account,
  { count, readAt }: { count: number; readAt: number },
): Promise<void> {
  await statement(
    control,
    `UPDATE connection SET seats = ?3, seats_read_at = ?4, seats_problem = NULL
     WHERE id = ?1 AND organisation_id = ?2`,
    connectionId,
    organisationId,
    count,
    readAt,
  ).run();
}

/** Records why the seats could not be counted. The last count stays. */
export async function saveSeatProblem(
  control: ControlDatabase,
  { organisationId, connectionId }: Account,
  problem: string,
): Promise<void> {
  await statement(
    control,
    "UPDATE connection SET seats_problem = ?3 WHERE id = ?1 AND organisation_id = ?2",
    connectionId,
    organisationId,
    problem,
  ).run();
}

/** Lets an account be counted again at this time, after a failure that passes. */
export async function postponeSeats(
  control: ControlDatabase,
  { organisationId, connectionId }: Account,
  dueAt: number,
): Promise<void> {
  await statement(
    control,
    "UPDATE connection SET seats_due_at = ?3 WHERE id = ?1 AND organisation_id = ?2",
    connectionId,
    organisationId,
    dueAt,
  ).run();
}
