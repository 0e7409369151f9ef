import { and, eq, type SQL, sql } from "drizzle-orm";
import { account, member, organisation, user } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";

/** The provider id of a person's own password, as opposed to other services. */
const CREDENTIAL = "credential";

/**
 * The statement that inserts a person whose e-mail address is verified. Fails its batch when the address is taken
 * (`user.email`).
 */
export function insertPerson(
  control: ControlDatabase,
  { now, ...person }: { id: string; email: string; name: string; familyName: string; now: number },
) {
  const at = new Date(now);
  return control.insert(user).values({ ...person, emailVerified: true, createdAt: at, updatedAt: at });
}

/** The data of a person that signing in needs. */
export type Credential = {
  userId: string;
  email: string;
  isEmailVerified: boolean;
  /** Null when the person has no password. */
  passwordHash: string | null;
  /** Null when the sign-up failed before it created the organisation. */
  organisationId: string | null;
  name: string;
  familyName: string;
  timeZone: string | null;
};

/** The person with this e-mail address; null when there is none. */
export function findCredentialByEmail(control: ControlDatabase, email: string): Promise<Credential | null> {
  return findCredential(control, eq(user.email, email));
}

/** The same by the person's id. */
export function findCredentialById(control: ControlDatabase, userId: string): Promise<Credential | null> {
  return findCredential(control, eq(user.id, userId));
}

async function findCredential(
  control: ControlDatabase,
  which: ReturnType<typeof eq>,
): Promise<Credential | null> {
  const row = await control
    .select({
      userId: user.id,
      email: user.email,
      isEmailVerified: user.emailVerified,
      passwordHash: account.password,
      organisationId: member.organisationId,
      name: user.name,
      familyName: user.familyName,
      timeZone: organisation.timeZone,
    })
    .from(user)
    .leftJoin(account, and(eq(account.userId, user.id), eq(account.providerId, CREDENTIAL)))
    .leftJoin(member, eq(member.userId, user.id))
    .leftJoin(organisation, eq(organisation.id, member.organisationId))
    .where(which)
    .get();
  return row ?? null;
}

/** Stores the hash of a person's new password, whether or not they had one. */
export async function savePassword(
  control: ControlDatabase,
  { userId, passwordHash, now }: { userId: string; passwordHash: string; now: number },
): Promise<void> {
  const theirs = and(eq(account.userId, userId), eq(account.providerId, CREDENTIAL));
  await control.batch([
    control
      .update(account)
      .set({ password: passwordHash, updatedAt: new Date(now) })
      .where(theirs),
    control.insert(account).select(
      sql`select ${`${CREDENTIAL}:${userId}`}, ${userId}, ${CREDENTIAL}, ${userId}, null, null, null, null, null, null,
        ${passwordHash}, ${now}, ${now} where not exists (select 1 from ${account} where ${theirs})`,
    ),
  ]);
}

/** Marks the person's e-mail address as verified. Returns false when the person no longer has that address. */
export async function verifyEmailOf(
  control: ControlDatabase,
  { userId, email, now }: { userId: string; email: string; now: number },
): Promise<boolean> {
  const rows = await control
    .update(user)
    .set({ emailVerified: true, updatedAt: new Date(now) })
    .where(and(eq(user.id, userId), eq(user.email, email)))
    .returning({ id: user.id });
  return rows.length > 0;
}

type NamesOf = { userId: string; name: string; familyName: string };

/** The statement that changes a person's names. */
export function replaceNames(
  control: ControlDatabase,
  { userId, name, familyName, now }: NamesOf & { now: number },
) {
  return control
    .update(user)
    .set({ name, familyName, updatedAt: new Date(now) })
    .where(eq(user.id, userId));
}

/** SQL condition: true when the person's names differ from these. */
export function isCalledOtherwise({ userId, name, familyName }: NamesOf): SQL {
  return sql`exists (select 1 from ${user} where ${user.id} = ${userId}
    and (${user.name} <> ${name} or ${user.familyName} <> ${familyName}))`;
}
