import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { account, member, organisation, user } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";

/** The provider of a person's own password, beside those of other services. */
const CREDENTIAL = "credential";

/** A person to be written; without a password they sign in elsewhere. */
type NewPerson = {
  userId: string;
  email: string;
  name: string;
  familyName: string;
  passwordHash: string | null;
  isEmailVerified: boolean;
  statedCreatedAt?: string | null;
  isAutoConfirmed?: boolean;
  now: number;
};

/** Statements that write a person and their password. They fail their batch when the address is taken (`user.email`). */
export function insertPerson(control: ControlDatabase, person: NewPerson) {
  const { userId, email, name, familyName, passwordHash, now } = person;
  const at = new Date(now);
  return [
    control.insert(user).values({
      id: userId,
      email,
      name,
      familyName,
      emailVerified: person.isEmailVerified,
      statedCreatedAt: person.statedCreatedAt ?? null,
      isAutoConfirmed: person.isAutoConfirmed ?? false,
      createdAt: at,
      updatedAt: at,
    }),
    ...(passwordHash === null ? [] : [insertPassword(control, { userId, passwordHash, now })]),
  ] as const;
}

/** The statement that gives a person who has no password this one. */
function insertPassword(
  control: ControlDatabase,
  { userId, passwordHash, now }: { userId: string; passwordHash: string; now: number },
) {
  const theirs = and(eq(account.userId, userId), eq(account.providerId, CREDENTIAL));
  return control.insert(account).select(
    sql`select ${`${CREDENTIAL}:${userId}`}, ${userId}, ${CREDENTIAL}, ${userId}, null, null, null, null, null, null,
      ${passwordHash}, ${now}, ${now} where not exists (select 1 from ${account} where ${theirs})`,
  );
}

/** What signing in needs to know of a person. */
export type Credential = {
  userId: string;
  email: string;
  isEmailVerified: boolean;
  /** Null when the person has no password. */
  passwordHash: string | null;
  /** Null when the sign-up broke before its organisation. */
  organisationId: string | null;
  name: string;
  familyName: string;
  timeZone: string | null;
};

/** The person of an e-mail address; null when there is none. */
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

/** Keeps the hash of a person's new password, whether they had one or not. */
export async function savePassword(
  control: ControlDatabase,
  { userId, passwordHash, now }: { userId: string; passwordHash: string; now: number },
): Promise<void> {
  await control.batch([
    control
      .update(account)
      .set({ password: passwordHash, updatedAt: new Date(now) })
      .where(and(eq(account.userId, userId), eq(account.providerId, CREDENTIAL))),
    insertPassword(control, { userId, passwordHash, now }),
  ]);
}

/** Notes that the person has shown the address to be theirs; false when the address is no longer this person's. */
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

/** True where the person is called otherwise than so. */
export function isCalledOtherwise({ userId, name, familyName }: NamesOf): SQL {
  return sql`exists (select 1 from ${user} where ${user.id} = ${userId}
    and (${user.name} <> ${name} or ${user.familyName} <> ${familyName}))`;
}

/** Keeps what was ticked at sign-up, once, while the address is unconfirmed; later it is for nobody to say unasked. */
export async function insertAppsToProtect(
  control: ControlDatabase,
  { email, apps }: { email: string; apps: string[] },
): Promise<void> {
  await control
    .update(user)
    .set({ appsToProtect: apps })
    .where(and(eq(user.email, email), eq(user.emailVerified, false), isNull(user.appsToProtect)));
}
