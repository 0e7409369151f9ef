import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { member, organisation, user } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";

/** From whom an organisation goes to whom. */
export type Handover = { organisationId: string; formerId: string; heirId: string };

/** A member who could become the owner, and the organisation's name; null when there is no such member. */
export async function findHeir(
  control: ControlDatabase,
  { organisationId, heirId }: Pick<Handover, "organisationId" | "heirId">,
): Promise<{ name: string; email: string; organisationName: string } | null> {
  const row = await control
    .select({
      name: sql<string>`trim(${user.name} || ' ' || ${user.familyName})`,
      email: user.email,
      organisationName: organisation.name,
    })
    .from(member)
    .innerJoin(user, eq(user.id, member.userId))
    .innerJoin(organisation, eq(organisation.id, member.organisationId))
    .where(
      and(eq(member.organisationId, organisationId), eq(member.userId, heirId), eq(member.role, "member")),
    )
    .get();
  return row ?? null;
}

/** Who owns the organisation; null when there is none, or it is closed. */
export async function findOwnerId(control: ControlDatabase, organisationId: string): Promise<string | null> {
  const row = await control
    .select({ id: organisation.ownerUserId })
    .from(organisation)
    .where(and(eq(organisation.id, organisationId), isNull(organisation.closedAt)))
    .get();
  return row?.id ?? null;
}

/** True when the person owns any organisation. */
export async function ownsOne(control: ControlDatabase, userId: string): Promise<boolean> {
  const row = await control
    .select({ id: organisation.id })
    .from(organisation)
    .where(eq(organisation.ownerUserId, userId))
    .get();
  return row !== undefined;
}

/**
 * SQL that is true while the handover is possible, evaluated at its position in a batch: the giver is the owner, the account is
 * open, the heir is a member and owns nothing else.
 */
export const isPossible = ({ organisationId, formerId, heirId }: Handover): SQL =>
  sql`(exists (select 1 from ${organisation} join ${member} on ${member.organisationId} = ${organisation.id}
      where ${organisation.id} = ${organisationId} and ${organisation.ownerUserId} = ${formerId}
      and ${organisation.closedAt} is null and ${member.userId} = ${heirId} and ${member.role} = 'member')
    and not exists (select 1 from ${organisation} where ${organisation.ownerUserId} = ${heirId}))`;

/**
 * The statements that hand the organisation over. The first one decides, and returns a row if it did; the others follow it, so
 * that there is one owner at any time. What is written with the handover comes before them, under `isPossible`.
 */
export function handOverStatements(
  control: ControlDatabase,
  handover: Handover,
  formerRoles: Readonly<Record<string, "admin">>,
) {
  const { organisationId, formerId, heirId } = handover;
  const isGiven = sql`exists (select 1 from ${organisation} where ${organisation.id} = ${organisationId}
    and ${organisation.ownerUserId} = ${heirId})`;
  const theirs = (userId: string, role: "owner" | "member") =>
    and(eq(member.organisationId, organisationId), eq(member.userId, userId), eq(member.role, role), isGiven);
  return [
    control
      .update(organisation)
      .set({ ownerUserId: heirId })
      .where(and(eq(organisation.id, organisationId), isPossible(handover)))
      .returning({ id: organisation.id }),
    control.update(member).set({ role: "owner", platformRoles: {} }).where(theirs(heirId, "member")),
    control
      .update(member)
      .set({ role: "member", platformRoles: { ...formerRoles } })
      .where(theirs(formerId, "owner")),
  ] as const;
}
