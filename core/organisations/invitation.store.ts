import { and, asc, eq, gt, lt, lte, ne, sql } from "drizzle-orm";
import { account, connection, invitation, member, organisation, user } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import { MOST_CODE_ATTEMPTS, MOST_INVITEES } from "./invitation-code.ts";
import type { PlatformRoles } from "./role-strings.ts";

export type InvitationRow = typeof invitation.$inferSelect;

/**
 * Statements that insert an invitation. They make the batch fail when the organisation has no invitation left
 * (`invitation.code_hash`), when the address belongs to a member (`invitation.email`), or when it is already invited
 * (the unique index), because a batch does not stop at a statement that changes nothing. An expired invitation is
 * replaced.
 */
export function insertInvitation(control: ControlDatabase, row: Omit<InvitationRow, "attempts">) {
  const { organisationId, email, createdAt: now } = row;
  const isOver = and(
    eq(invitation.organisationId, organisationId),
    eq(invitation.email, email),
    lte(invitation.expiresAt, now),
  );
  const taken = sql`(select count(*) from ${member} where ${member.organisationId} = ${organisationId} and ${member.role} <> 'owner')
    + (select count(*) from ${invitation} where ${invitation.organisationId} = ${organisationId})`;
  const isMember = sql`exists (select 1 from ${member} join ${user} on ${user.id} = ${member.userId}
    where ${member.organisationId} = ${organisationId} and ${user.email} = ${email})`;
  return [
    control.delete(invitation).where(isOver),
    control.insert(invitation).select(
      sql`select ${row.id}, ${organisationId}, case when ${isMember} then null else ${email} end,
        case when ${taken} < ${MOST_INVITEES} then ${row.codeHash} end, 0, ${JSON.stringify(row.platformRoles)},
        ${row.invitedBy}, ${now}, ${row.expiresAt}`,
    ),
  ] as const;
}

/** Returns the states of the organisation's connections of a platform. */
export async function listConnectionStates(
  control: ControlDatabase,
  { organisationId, platform }: { organisationId: string; platform: string },
): Promise<("active" | "revoked")[]> {
  const rows = await control
    .select({ status: connection.status })
    .from(connection)
    .where(and(eq(connection.organisationId, organisationId), eq(connection.platform, platform)));
  return rows.map(({ status }) => status);
}

/** Returns the data for an invitation's e-mail: the organisation's name, and whether the address has an account. */
export async function findInvitationFacts(
  control: ControlDatabase,
  { organisationId, email }: { organisationId: string; email: string },
): Promise<{ organisationName: string; hasAccount: boolean }> {
  const row = await control
    .select({ name: organisation.name, person: user.id })
    .from(organisation)
    .leftJoin(user, eq(user.email, email))
    .where(eq(organisation.id, organisationId))
    .get();
  return { organisationName: row?.name ?? "", hasAccount: row?.person != null };
}

/** An invited person, joined or not yet. */
export type InviteeRow = {
  id: string;
  email: string;
  name: string | null;
  familyName: string | null;
  platformRoles: PlatformRoles;
  createdAt: number;
};

/** Lists all invited people, oldest first. */
export async function listInviteeRows(
  control: ControlDatabase,
  organisationId: string,
): Promise<InviteeRow[]> {
  const [joined, invited] = await control.batch([
    control
      .select({
        id: user.id,
        email: user.email,
        name: user.name,
        familyName: user.familyName,
        platformRoles: member.platformRoles,
        createdAt: member.createdAt,
      })
      .from(member)
      .innerJoin(user, eq(user.id, member.userId))
      .where(and(eq(member.organisationId, organisationId), ne(member.role, "owner"))),
    control
      .select({
        id: invitation.id,
        email: invitation.email,
        name: sql<null>`null`.as("name"),
        familyName: sql<null>`null`.as("familyName"),
        platformRoles: invitation.platformRoles,
        createdAt: invitation.createdAt,
      })
      .from(invitation)
      .where(eq(invitation.organisationId, organisationId))
      .orderBy(asc(invitation.createdAt)),
  ]);
  return [...joined, ...invited].sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
}

/** Counts one try of a code. Returns null when the invitation is unknown, expired or has no try left. */
export async function takeAttempt(
  control: ControlDatabase,
  { id, now }: { id: string; now: number },
): Promise<InvitationRow | null> {
  const [row] = await control
    .update(invitation)
    .set({ attempts: sql`${invitation.attempts} + 1` })
    .where(
      and(eq(invitation.id, id), gt(invitation.expiresAt, now), lt(invitation.attempts, MOST_CODE_ATTEMPTS)),
    )
    .returning();
  return row ?? null;
}

/** The person created from an invitation. */
export type Joining = {
  invitationId: string;
  memberId: string;
  name: string;
  familyName: string;
  passwordHash: string;
  now: number;
};

/** SQL that is true while the invitation exists, evaluated at its position in a batch. */
export const invitationStands = (id: string) =>
  sql`exists (select 1 from ${invitation} where ${invitation.id} = ${id})`;

/**
 * Statements that turn an invitation into a member with a password: all of it, or nothing when the invitation is gone.
 * The person gets the invitation's id, so existing references to it stay valid. The batch fails when the address got an
 * account meanwhile (unique `user.email`).
 */
export function insertInvitee(control: ControlDatabase, { invitationId, now, ...person }: Joining) {
  const stands = sql`from ${invitation} where ${invitation.id} = ${invitationId}`;
  return {
    person: [
      control.insert(user).select(
        sql`select ${invitation.id}, ${person.name}, ${person.familyName}, ${invitation.email}, 1, null,
          ${now}, ${now}, null, 0, 0, null ${stands}`,
      ),
      control.insert(account).select(
        sql`select 'credential:' || ${invitation.id}, ${invitation.id}, 'credential', ${invitation.id}, null, null,
          null, null, null, null, ${person.passwordHash}, ${now}, ${now} ${stands}`,
      ),
      control.insert(member).select(
        sql`select ${person.memberId}, ${invitation.organisationId}, ${invitation.id}, 'member',
          ${invitation.platformRoles}, ${now} ${stands}`,
      ),
    ],
    end: control
      .delete(invitation)
      .where(eq(invitation.id, invitationId))
      .returning({ organisationId: invitation.organisationId }),
  } as const;
}
