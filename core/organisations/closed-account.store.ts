import { and, eq, isNotNull, sql } from "drizzle-orm";
import { closure, member, organisation, user } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";

/** A person of a closed account. */
export type ClosedOut = {
  organisationId: string;
  role: "owner" | "member";
  name: string;
  email: string;
  timeZone: string;
};

/** The closed account of a person; null while theirs is open. */
export async function findClosedAccount(control: ControlDatabase, userId: string): Promise<ClosedOut | null> {
  const row = await control
    .select({
      organisationId: organisation.id,
      role: member.role,
      name: sql<string>`trim(${user.name} || ' ' || ${user.familyName})`,
      email: user.email,
      timeZone: organisation.timeZone,
    })
    .from(member)
    .innerJoin(user, eq(user.id, member.userId))
    .innerJoin(organisation, eq(organisation.id, member.organisationId))
    .where(and(eq(member.userId, userId), isNotNull(organisation.closedAt)))
    .get();
  return row ?? null;
}

/** SQL that is true while the closed account may be opened again, evaluated at its position in a batch. */
export const isReopenable = (organisationId: string) =>
  sql`exists (select 1 from ${closure} where ${closure.organisationId} = ${organisationId}
    and ${closure.state} = 'closed')`;

/** The statements that open a closed account again, unless its removal has begun. The first returns a row if it did. */
export function reopenStatements(control: ControlDatabase, organisationId: string) {
  return [
    control
      .update(organisation)
      .set({ closedAt: null })
      .where(and(eq(organisation.id, organisationId), isReopenable(organisationId)))
      .returning({ id: organisation.id }),
    control
      .update(closure)
      .set({ state: "reopened" })
      .where(and(eq(closure.organisationId, organisationId), eq(closure.state, "closed"))),
  ] as const;
}
