import { eq, lte, sql } from "drizzle-orm";
import { member, organisation, session, user, verification } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { Member } from "#core/organisations/index.ts";

/** A session with the person and organisation it speaks for. */
export type SessionRow = {
  session: { id: string; expiresAt: number; lastActiveAt: number };
  member: Member;
};

/** Reads session, person and organisation in one query; null when any of them is missing. */
export async function findSessionRow(
  control: ControlDatabase,
  tokenHash: string,
): Promise<SessionRow | null> {
  const row = await control
    .select({
      sessionId: session.id,
      expiresAt: session.expiresAt,
      updatedAt: session.updatedAt,
      userId: user.id,
      name: user.name,
      email: user.email,
      organisationId: member.organisationId,
      role: member.role,
      platformRoles: member.platformRoles,
      timeZone: organisation.timeZone,
    })
    .from(session)
    .innerJoin(user, eq(user.id, session.userId))
    .innerJoin(member, eq(member.userId, user.id))
    .innerJoin(organisation, eq(organisation.id, member.organisationId))
    .where(eq(session.token, tokenHash))
    .get();
  if (!row) return null;
  const { sessionId, expiresAt, updatedAt, ...person } = row;
  return {
    session: { id: sessionId, expiresAt: expiresAt.getTime(), lastActiveAt: updatedAt.getTime() },
    member: person,
  };
}

/** Notes that the session was used. */
export async function touchSession(control: ControlDatabase, { id, now }: { id: string; now: number }) {
  await control
    .update(session)
    .set({ updatedAt: new Date(now) })
    .where(eq(session.id, id));
}

/** Ends a session; an unknown one is already ended. */
export async function deleteSession(control: ControlDatabase, tokenHash: string): Promise<void> {
  await control.delete(session).where(eq(session.token, tokenHash));
}

/** Removes sessions and counters whose time is over. */
export async function deleteExpired(control: ControlDatabase, now: number): Promise<void> {
  await control.batch([
    control.delete(session).where(lte(session.expiresAt, new Date(now))),
    control.delete(verification).where(lte(verification.expiresAt, new Date(now))),
  ]);
}

/** True when the address already belongs to somebody. */
export async function isEmailTaken(control: ControlDatabase, email: string): Promise<boolean> {
  const row = await control.select({ id: user.id }).from(user).where(eq(user.email, email)).get();
  return row !== undefined;
}

/**
 * Counts one more event under the key in a window that begins with the first of them; one statement, so that
 * simultaneous attempts are all counted.
 * @returns the count, this one included, and the end of the window
 */
export async function countAttempt(
  control: ControlDatabase,
  { key, now, windowMs }: { key: string; now: number; windowMs: number },
): Promise<{ count: number; endsAt: number }> {
  const at = new Date(now);
  const isOver = sql`${verification.expiresAt} <= ${now}`;
  const [row] = await control
    .insert(verification)
    .values({
      id: key,
      identifier: key,
      value: "1",
      expiresAt: new Date(now + windowMs),
      createdAt: at,
      updatedAt: at,
    })
    .onConflictDoUpdate({
      target: verification.id,
      set: {
        value: sql`case when ${isOver} then '1' else cast(cast(${verification.value} as integer) + 1 as text) end`,
        expiresAt: sql`case when ${isOver} then ${now + windowMs} else ${verification.expiresAt} end`,
        updatedAt: at,
      },
    })
    .returning({ value: verification.value, expiresAt: verification.expiresAt });
  return { count: Number(row!.value), endsAt: row!.expiresAt.getTime() };
}

/** Forgets the count, after a success. */
export async function forgetAttempts(control: ControlDatabase, key: string): Promise<void> {
  await control.delete(verification).where(eq(verification.id, key));
}
