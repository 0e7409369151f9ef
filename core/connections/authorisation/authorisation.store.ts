import { and, desc, eq, gt, isNull, lt } from "drizzle-orm";
import { type ConsentKey, isUsable } from "#core/database/consents.ts";
import { authorisation } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";

export type AuthorisationRow = typeof authorisation.$inferSelect;

type Begun = Omit<AuthorisationRow, "usedAt" | "sealedChoice" | "choiceExpiresAt" | "choiceUsedAt">;

/** Stores a pending authorisation. */
export async function insertAuthorisation(control: ControlDatabase, row: Begun): Promise<void> {
  await control.insert(authorisation).values({ ...row, usedAt: null });
}

/** Uses an authorisation up. It works once, until it expires, and only for the person who began it. */
export async function takeAuthorisation(
  control: ControlDatabase,
  key: ConsentKey & { platform: string },
): Promise<AuthorisationRow | null> {
  const rows = await control
    .update(authorisation)
    .set({ usedAt: key.now })
    .where(and(isUsable(authorisation, key), eq(authorisation.platform, key.platform)))
    .returning();
  return rows[0] ?? null;
}

/** The key of a choice. Its id is the authorisation's, which only the person who began it can use. */
export type ChoiceKey = {
  choiceId: string;
  organisationId: string;
  userId: string;
  platform: string;
  now: number;
};

const isOpen = (key: ChoiceKey) =>
  and(
    eq(authorisation.stateHash, key.choiceId),
    eq(authorisation.organisationId, key.organisationId),
    eq(authorisation.userId, key.userId),
    eq(authorisation.platform, key.platform),
    isNull(authorisation.choiceUsedAt),
    gt(authorisation.choiceExpiresAt, key.now),
  );

/** Stores the accounts and tokens of an authorisation until a choice is made. */
export async function keepChoice(
  control: ControlDatabase,
  { stateHash, organisationId }: Pick<AuthorisationRow, "stateHash" | "organisationId">,
  { sealedChoice, expiresAt }: { sealedChoice: string; expiresAt: number },
): Promise<void> {
  await control
    .update(authorisation)
    .set({ sealedChoice, choiceExpiresAt: expiresAt, choiceUsedAt: null })
    .where(and(eq(authorisation.stateHash, stateHash), eq(authorisation.organisationId, organisationId)));
}

/** A pending choice; null when it was made or has expired. */
export async function findChoice(control: ControlDatabase, key: ChoiceKey): Promise<AuthorisationRow | null> {
  const [row] = await control.select().from(authorisation).where(isOpen(key));
  return row ?? null;
}

/**
 * The newest pending choice of a person at a platform; null = none. Reads only authorisations that expire after
 * `begunAfter`, because an index orders them by that time.
 */
export async function findNewestChoice(
  control: ControlDatabase,
  { organisationId, userId, platform, now }: Omit<ChoiceKey, "choiceId">,
  begunAfter: number,
): Promise<AuthorisationRow | null> {
  const [row] = await control
    .select()
    .from(authorisation)
    .where(
      and(
        gt(authorisation.expiresAt, begunAfter),
        eq(authorisation.organisationId, organisationId),
        eq(authorisation.userId, userId),
        eq(authorisation.platform, platform),
        isNull(authorisation.choiceUsedAt),
        gt(authorisation.choiceExpiresAt, now),
      ),
    )
    .orderBy(desc(authorisation.choiceExpiresAt))
    .limit(1);
  return row ?? null;
}

/** Takes a choice for exactly one caller; null when another request came first. */
export async function takeChoice(control: ControlDatabase, key: ChoiceKey): Promise<AuthorisationRow | null> {
  const [row] = await control
    .update(authorisation)
    .set({ choiceUsedAt: key.now })
    .where(isOpen(key))
    .returning();
  return row ?? null;
}

/** Reopens a choice that failed. */
export async function giveChoiceBack(control: ControlDatabase, key: ChoiceKey): Promise<void> {
  await control
    .update(authorisation)
    .set({ choiceUsedAt: null })
    .where(
      and(
        eq(authorisation.stateHash, key.choiceId),
        eq(authorisation.organisationId, key.organisationId),
        eq(authorisation.choiceUsedAt, key.now),
      ),
    );
}

/** Deletes authorisations, with any sealed tokens, that expired before a time. */
export async function deleteExpiredAuthorisations(
  control: ControlDatabase,
  expiredBefore: number,
): Promise<void> {
  await control.delete(authorisation).where(lt(authorisation.expiresAt, expiredBefore));
}
