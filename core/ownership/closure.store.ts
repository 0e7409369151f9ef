import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import {
  authorisation,
  closure,
  invitation,
  member,
  organisation,
  session,
  signInChallenge,
  storageAuthorisation,
} from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import { statement } from "#core/database/statements.ts";

export type ClosureRow = typeof closure.$inferSelect;

/** SQL that is true while the person owns the organisation and it is open, evaluated at its position in a batch. */
export const isClosable = ({ organisationId, ownerId }: { organisationId: string; ownerId: string }): SQL =>
  sql`exists (select 1 from ${organisation} where ${organisation.id} = ${organisationId}
    and ${organisation.ownerUserId} = ${ownerId} and ${organisation.closedAt} is null)`;

/**
 * The statements that close an account. The first one decides, and returns a row if it did. All sessions end with it, also
 * sign-ins, consents and invitations that are under way.
 */
export function closeStatements(
  control: ControlDatabase,
  row: Pick<ClosureRow, "id" | "organisationId" | "closedAt" | "removalAt"> & { ownerId: string },
) {
  const { id, organisationId, closedAt, removalAt } = row;
  const isClosed = sql`exists (select 1 from ${closure} where ${closure.id} = ${id})`;
  const people = sql`(select ${member.userId} from ${member} where ${member.organisationId} = ${organisationId})`;
  return [
    control
      .insert(closure)
      .select(
        sql`select ${id}, ${organisationId}, 'closed', ${closedAt}, ${removalAt}, null, null, 0, null, null
          where ${isClosable(row)}`,
      )
      .returning({ id: closure.id }),
    control
      .update(organisation)
      .set({ closedAt })
      .where(and(eq(organisation.id, organisationId), isClosed)),
    control.delete(session).where(and(sql`${session.userId} in ${people}`, isClosed)),
    control.delete(signInChallenge).where(and(sql`${signInChallenge.userId} in ${people}`, isClosed)),
    control.delete(authorisation).where(and(eq(authorisation.organisationId, organisationId), isClosed)),
    control
      .delete(storageAuthorisation)
      .where(and(eq(storageAuthorisation.organisationId, organisationId), isClosed)),
    control.delete(invitation).where(and(eq(invitation.organisationId, organisationId), isClosed)),
  ] as const;
}

/**
 * Closed accounts of which something may still run at the payment provider: a subscription that has not ended or still owes,
 * or a purchase that was under way. The one that was looked at the longest ago first.
 */
export async function listRunningClosures(
  control: ControlDatabase,
  { settledMs, limit }: { settledMs: number; limit: number },
): Promise<Pick<ClosureRow, "id" | "organisationId">[]> {
  const { results } = await statement(
    control,
    `SELECT c.id AS id, c.organisation_id AS organisationId FROM closure c
     JOIN billing_customer b ON b.organisation_id = c.organisation_id
     WHERE c.removal_at > 0 AND c.state IN ('closed', 'removing') AND (
       b.synced_at IS NULL OR b.synced_at < c.closed_at + ?1
       OR EXISTS (SELECT 1 FROM stripe_subscription s WHERE s.organisation_id = c.organisation_id AND (
         s.status NOT IN ('canceled', 'incomplete_expired')
         OR (s.status = 'canceled' AND s.latest_invoice_status IN ('open', 'uncollectible')))))
     ORDER BY c.looked_at LIMIT ?2`,
    settledMs,
    limit,
  ).all<Pick<ClosureRow, "id" | "organisationId">>();
  return results;
}

/** Notes that a closure is tried, and returns it; null when it is over or does not exist. */
export async function lookAtClosure(
  control: ControlDatabase,
  id: string,
  now: number,
): Promise<ClosureRow | null> {
  const [row] = await control
    .update(closure)
    .set({ lookedAt: now })
    .where(and(eq(closure.id, id), inArray(closure.state, ["closed", "removing"])))
    .returning();
  return row ?? null;
}

/** A closed account whose owner is to be warned of its removal. */
export type AheadClosure = Pick<ClosureRow, "id" | "organisationId" | "removalAt" | "warnedAt"> & {
  email: string;
  timeZone: string;
};

/** Closures whose first warning is due before `first`, or the second one before `second`. */
export async function listAheadClosures(
  control: ControlDatabase,
  { first, second, after, limit }: { first: number; second: number; after: string; limit: number },
): Promise<AheadClosure[]> {
  const { results } = await statement(
    control,
    `SELECT c.id AS id, c.organisation_id AS organisationId, c.removal_at AS removalAt, c.warned_at AS warnedAt,
       u.email AS email, o.time_zone AS timeZone
     FROM closure c JOIN organisation o ON o.id = c.organisation_id JOIN user u ON u.id = o.owner_user_id
     WHERE c.state = 'closed' AND c.removal_at <= ?1 AND c.warned_again_at IS NULL
       AND (c.warned_at IS NULL OR c.removal_at <= ?2) AND c.id > ?3
     ORDER BY c.id LIMIT ?4`,
    first,
    second,
    after,
    limit,
  ).all<AheadClosure>();
  return results;
}

/** Condition of a warning's e-mail: this call recorded it. */
export const isWarnedAt = (id: string, at: number): SQL =>
  sql`EXISTS (SELECT 1 FROM closure WHERE id = ${id} AND ${at} IN (warned_at, warned_again_at))`;

/** The statement that records a warning. Of two calls at once only one does. */
export function warnStatement(
  control: ControlDatabase,
  {
    organisationId,
    id,
    isFirst,
    at,
    removalAt,
  }: Pick<ClosureRow, "organisationId" | "id" | "removalAt"> & { isFirst: boolean; at: number },
) {
  const column = isFirst ? closure.warnedAt : closure.warnedAgainAt;
  return control
    .update(closure)
    .set({ removalAt, ...(isFirst ? { warnedAt: at } : { warnedAgainAt: at }) })
    .where(
      and(
        eq(closure.id, id),
        eq(closure.organisationId, organisationId),
        eq(closure.state, "closed"),
        sql`${column} IS NULL`,
      ),
    );
}

/** Removals that may begin or go on. */
export async function listDueClosures(
  control: ControlDatabase,
  now: number,
  limit: number,
): Promise<string[]> {
  const { results } = await statement(
    control,
    `SELECT id FROM closure WHERE state IN ('closed', 'removing') AND removal_at <= ?1
       AND warned_again_at IS NOT NULL ORDER BY looked_at LIMIT ?2`,
    now,
    limit,
  ).all<{ id: string }>();
  return results.map(({ id }) => id);
}

/** Begins a removal, from which on nobody can open the account again. False when it was opened before. */
export async function beginRemoval(
  control: ControlDatabase,
  { id, organisationId }: Pick<ClosureRow, "id" | "organisationId">,
): Promise<boolean> {
  const begun = await control
    .update(closure)
    .set({ state: "removing" })
    .where(
      and(
        eq(closure.id, id),
        eq(closure.organisationId, organisationId),
        inArray(closure.state, ["closed", "removing"]),
      ),
    )
    .returning({ id: closure.id });
  return begun.length > 0;
}
