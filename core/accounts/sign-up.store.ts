import { and, eq, gt, isNull, not, type SQL, sql } from "drizzle-orm";
import { account, signUp, user } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";

/** A sign-up that awaits confirmation. */
export type WaitingSignUp = {
  id: string;
  email: string;
  name: string;
  familyName: string;
  passwordHash: string;
  browserHash: string | null;
  expiresAt: number;
};

/** SQL condition: the e-mail address has an account at this point of the batch. */
export const hasPerson = (email: string): SQL =>
  sql`exists (select 1 from ${user} where ${user.email} = ${email})`;

/** SQL condition: the e-mail address has no account at this point of the batch. */
export const hasNobody = (email: string): SQL => not(hasPerson(email));

/** The statement that stores a sign-up and replaces any earlier one for the address. */
export function upsertSignUp(
  control: ControlDatabase,
  row: WaitingSignUp & { statedCreatedAt: string | null; createdAt: number },
) {
  const { email, ...rest } = row;
  return control
    .insert(signUp)
    .values(row)
    .onConflictDoUpdate({ target: signUp.email, set: { ...rest, appsToProtect: null } });
}

/** The pending sign-up for an address; null when there is none. */
export function findSignUpByEmail(
  control: ControlDatabase,
  { email, now }: { email: string; now: number },
): Promise<WaitingSignUp | null> {
  return findSignUp(control, { which: eq(signUp.email, email), now });
}

/** The same by id. A later sign-up for the address has another id. */
export function findSignUpById(
  control: ControlDatabase,
  { id, now }: { id: string; now: number },
): Promise<WaitingSignUp | null> {
  return findSignUp(control, { which: eq(signUp.id, id), now });
}

async function findSignUp(
  control: ControlDatabase,
  { which, now }: { which: SQL; now: number },
): Promise<WaitingSignUp | null> {
  const row = await control
    .select()
    .from(signUp)
    .where(and(which, gt(signUp.expiresAt, now)))
    .get();
  return row ?? null;
}

/** Stores the platforms ticked at sign-up, once. */
export async function saveAppsToProtect(
  control: ControlDatabase,
  { email, apps }: { email: string; apps: string[] },
): Promise<void> {
  await control
    .update(signUp)
    .set({ appsToProtect: apps })
    .where(and(eq(signUp.email, email), isNull(signUp.appsToProtect)));
}

/** A sign-up that becomes a person; `chosen` replaces the names and password typed at sign-up. */
export type Becoming = {
  id: string;
  chosen: { passwordHash: string; name: string; familyName: string } | null;
  isAutoConfirmed: boolean;
  now: number;
};

/**
 * The statements that turn a sign-up into a person with a password. They create nothing when the sign-up is gone or
 * expired, or when the e-mail address now has an account. Run the statements for everything else a new person needs
 * between `person` and `end`; `end` returns a row if the person was created.
 */
export function insertPersonOf(control: ControlDatabase, { id, chosen, isAutoConfirmed, now }: Becoming) {
  const stands = and(
    eq(signUp.id, id),
    gt(signUp.expiresAt, now),
    sql`not exists (select 1 from ${user} where ${user.email} = ${signUp.email})`,
  );
  const isPerson = sql`exists (select 1 from ${user} where ${user.id} = ${id})`;
  return {
    person: [
      control.insert(user).select(
        sql`select ${signUp.id}, coalesce(${chosen?.name ?? null}, ${signUp.name}),
          coalesce(${chosen?.familyName ?? null}, ${signUp.familyName}), ${signUp.email}, 1, null, ${now}, ${now},
          ${signUp.statedCreatedAt}, ${Number(isAutoConfirmed)}, 0, ${signUp.appsToProtect}
          from ${signUp} where ${stands}`,
      ),
      control.insert(account).select(
        sql`select 'credential:' || ${signUp.id}, ${signUp.id}, 'credential', ${signUp.id}, null, null, null, null, null,
          null, coalesce(${chosen?.passwordHash ?? null}, ${signUp.passwordHash}), ${now}, ${now}
          from ${signUp} where ${eq(signUp.id, id)} and ${isPerson}`,
      ),
    ],
    end: control
      .delete(signUp)
      .where(and(eq(signUp.id, id), isPerson))
      .returning({ id: signUp.id }),
  } as const;
}
