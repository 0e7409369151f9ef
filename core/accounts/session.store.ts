import { and, eq, gt, isNull, lte, ne, type SQL, sql } from "drizzle-orm";
import {
  federationAttempt,
  hostCode,
  member,
  organisation,
  passwordReset,
  session,
  signInChallenge,
  signUp,
  usedLink,
  user,
  verification,
} from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { Member } from "#core/organisations/index.ts";

export type SignedIn = {
  member: Member & Required<Pick<Member, "shards">>;
  /** Given and family name separately, as the wire needs them. */
  person: { name: string; familyName: string };
  /** Times in epoch ms. */
  session: { id: string; expiresAt: number; lastActiveAt: number };
};

/** Inserts a session. Only the token's hash is stored, so that a copy of the table gives access to no account. */
export async function insertSession(
  control: ControlDatabase,
  row: {
    id: string;
    tokenHash: string;
    userId: string;
    expiresAt: number;
    now: number;
    hostSiteId: string | null;
  },
): Promise<void> {
  const { id, tokenHash, userId, expiresAt, now, hostSiteId } = row;
  const at = new Date(now);
  await control.insert(session).values({
    id,
    token: tokenHash,
    userId,
    expiresAt: new Date(expiresAt),
    createdAt: at,
    updatedAt: at,
    hostSiteId,
  });
}

/** Reads session, person and organisation in one query; null when any of them is missing. */
export async function findSessionRow(control: ControlDatabase, tokenHash: string): Promise<SignedIn | null> {
  return toSignedIn(await sessionQuery(control, eq(session.token, tokenHash)));
}

/** `findSessionRow` by the session's id. */
export async function findSessionById(control: ControlDatabase, id: string): Promise<SignedIn | null> {
  return toSignedIn(await sessionQuery(control, eq(session.id, id)));
}

/** `findSessionRow` as a statement of a batch; `toSignedIn` reads its rows. */
export function sessionStatement(control: ControlDatabase, tokenHash: string) {
  return sessionQuery(control, eq(session.token, tokenHash));
}

/** A subquery: the organisation of the person whose session has the token. */
export function organisationOfToken(control: ControlDatabase, tokenHash: string) {
  return control
    .select({ id: member.organisationId })
    .from(session)
    .innerJoin(member, eq(member.userId, session.userId))
    .where(eq(session.token, tokenHash));
}

/** No two columns have one name, because a batch answers by name. */
function sessionQuery(control: ControlDatabase, which: SQL) {
  return (
    control
      .select({
        sessionId: session.id,
        expiresAt: session.expiresAt,
        updatedAt: session.updatedAt,
        userId: session.userId,
        name: user.name,
        familyName: user.familyName,
        email: user.email,
        image: user.image,
        organisationId: member.organisationId,
        role: member.role,
        platformRoles: member.platformRoles,
        timeZone: organisation.timeZone,
        shards: organisation.shards,
      })
      .from(session)
      .innerJoin(user, eq(user.id, session.userId))
      .innerJoin(member, eq(member.userId, user.id))
      .innerJoin(organisation, eq(organisation.id, member.organisationId))
      // Nobody has a session of a closed account.
      .where(and(which, isNull(organisation.closedAt)))
      .limit(1)
  );
}

/** The answer of `sessionStatement`; null for no row. */
export function toSignedIn(rows: Awaited<ReturnType<typeof sessionQuery>>): SignedIn | null {
  const [row] = rows;
  if (!row) return null;
  const { sessionId, expiresAt, updatedAt, name, familyName, image: _, ...rest } = row;
  return {
    session: { id: sessionId, expiresAt: expiresAt.getTime(), lastActiveAt: updatedAt.getTime() },
    person: { name, familyName },
    member: { ...rest, name: `${name} ${familyName}`.trim() },
  };
}

/** Records that the session was used. */
export async function touchSession(control: ControlDatabase, { id, now }: { id: string; now: number }) {
  await control
    .update(session)
    .set({ updatedAt: new Date(now) })
    .where(eq(session.id, id));
}

/** Ends a session. Does nothing when it is unknown. */
export async function deleteSession(control: ControlDatabase, tokenHash: string): Promise<void> {
  await control.delete(session).where(eq(session.token, tokenHash));
}

/** Ends a person's sessions, except one if given, and their sign-ins that still await a second factor. */
export async function deleteSessionsOf(
  control: ControlDatabase,
  { userId, exceptSessionId }: { userId: string; exceptSessionId: string | null },
): Promise<{ sessionIds: string[]; organisationId: string | null }> {
  const others = exceptSessionId === null ? undefined : ne(session.id, exceptSessionId);
  const [ended, , found] = await control.batch([
    control
      .delete(session)
      .where(and(eq(session.userId, userId), others))
      .returning({ id: session.id }),
    control.delete(signInChallenge).where(eq(signInChallenge.userId, userId)),
    control.select({ organisationId: member.organisationId }).from(member).where(eq(member.userId, userId)),
  ]);
  return { sessionIds: ended.map(({ id }) => id), organisationId: found[0]?.organisationId ?? null };
}

/** Ends the sessions that were opened in frames of a site. Returns them with their organisations. */
export async function deleteSessionsOfSite(
  control: ControlDatabase,
  siteId: string,
): Promise<{ sessionId: string; organisationId: string }[]> {
  const [open] = await control.batch([
    control
      .select({ sessionId: session.id, organisationId: member.organisationId })
      .from(session)
      .innerJoin(member, eq(member.userId, session.userId))
      .where(eq(session.hostSiteId, siteId)),
    control.delete(session).where(eq(session.hostSiteId, siteId)),
  ]);
  return open;
}

/** Deletes expired sessions, counters, challenges, codes, sign-ups, used links, federation attempts and codes of hosts. */
export async function deleteExpired(control: ControlDatabase, now: number): Promise<void> {
  await control.batch([
    control.delete(session).where(lte(session.expiresAt, new Date(now))),
    control.delete(verification).where(lte(verification.expiresAt, new Date(now))),
    control.delete(signInChallenge).where(lte(signInChallenge.expiresAt, now)),
    control.delete(passwordReset).where(lte(passwordReset.expiresAt, now)),
    control.delete(usedLink).where(lte(usedLink.expiresAt, now)),
    control.delete(signUp).where(lte(signUp.expiresAt, now)),
    control.delete(federationAttempt).where(lte(federationAttempt.expiresAt, now)),
    control.delete(hostCode).where(lte(hostCode.expiresAt, now)),
  ]);
}

/**
 * Counts an event under the key, in a window that begins with the first event. A single statement, so that simultaneous
 * attempts are all counted.
 * @returns the count, including this event, and the end of the window
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

/** Decrements the count, because the attempt was not a guess. */
export async function discountAttempt(control: ControlDatabase, key: string): Promise<void> {
  await control
    .update(verification)
    .set({ value: sql`cast(cast(${verification.value} as integer) - 1 as text)` })
    .where(and(eq(verification.id, key), gt(sql`cast(${verification.value} as integer)`, 0)));
}
