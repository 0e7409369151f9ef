import { and, eq, gt, isNull } from "drizzle-orm";
import {
  account,
  federationAttempt,
  invitation,
  member,
  organisation,
  user,
} from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";

type NewAttempt = {
  stateHash: string;
  provider: string;
  browserHash: string;
  sealedDetails: string;
  expiresAt: number;
};

/** Writes down a sign-in that begins; the hourly sweep forgets those whose time is over. */
export async function insertAttempt(control: ControlDatabase, attempt: NewAttempt): Promise<void> {
  await control.insert(federationAttempt).values(attempt);
}

/**
 * Takes a sign-in that this browser began, once: the same statement finds and spends it, so of two answers with one
 * state only the first gets it, and another browser neither gets nor spends it.
 */
export async function takeAttempt(
  control: ControlDatabase,
  { stateHash, browserHash, now }: { stateHash: string; browserHash: string; now: number },
): Promise<{ provider: string; sealedDetails: string } | null> {
  const [row] = await control
    .update(federationAttempt)
    .set({ usedAt: now })
    .where(
      and(
        eq(federationAttempt.stateHash, stateHash),
        eq(federationAttempt.browserHash, browserHash),
        isNull(federationAttempt.usedAt),
        gt(federationAttempt.expiresAt, now),
      ),
    )
    .returning({ provider: federationAttempt.provider, sealedDetails: federationAttempt.sealedDetails });
  return row ?? null;
}

/** A person's identity at a provider. `accountId` names issuer and subject. */
export type Identity = { providerId: string; accountId: string };

/** Whose identity it is; null when nobody signed in with it yet. */
export async function findIdentityOwner(
  control: ControlDatabase,
  { providerId, accountId }: Identity,
): Promise<string | null> {
  const row = await control
    .select({ userId: account.userId })
    .from(account)
    .where(and(eq(account.providerId, providerId), eq(account.accountId, accountId)))
    .get();
  return row?.userId ?? null;
}

/** A person as somebody's e-mail finds them, and the ways in that they have already. */
export type PersonOfEmail = {
  userId: string;
  isEmailVerified: boolean;
  /** Providers of the ways in; `credential` is the password. */
  providerIds: string[];
  /** Null when the person's sign-up broke before its organisation. */
  organisationId: string | null;
  timeZone: string | null;
};

/** The person with this e-mail; null when there is none. */
export async function findPersonByEmail(
  control: ControlDatabase,
  email: string,
): Promise<PersonOfEmail | null> {
  const rows = await control
    .select({
      userId: user.id,
      isEmailVerified: user.emailVerified,
      providerId: account.providerId,
      organisationId: member.organisationId,
      timeZone: organisation.timeZone,
    })
    .from(user)
    .leftJoin(account, eq(account.userId, user.id))
    .leftJoin(member, eq(member.userId, user.id))
    .leftJoin(organisation, eq(organisation.id, member.organisationId))
    .where(eq(user.email, email));
  const [first] = rows;
  if (!first) return null;
  const providerIds = rows.flatMap(({ providerId }) => (providerId === null ? [] : [providerId]));
  const { userId, isEmailVerified, organisationId, timeZone } = first;
  return { userId, isEmailVerified, providerIds, organisationId, timeZone };
}

/** True when an organisation waits for somebody with this e-mail. */
export async function isInvited(
  control: ControlDatabase,
  { email, now }: { email: string; now: number },
): Promise<boolean> {
  const row = await control
    .select({ id: invitation.id })
    .from(invitation)
    .where(and(eq(invitation.email, email), gt(invitation.expiresAt, now)))
    .get();
  return row !== undefined;
}

/**
 * The statement that gives a person an identity. An identity belongs to one person for ever: whoever comes second
 * changes nothing.
 */
export function insertIdentity(
  control: ControlDatabase,
  row: Identity & { id: string; userId: string; now: number },
) {
  const { now, ...identity } = row;
  const at = new Date(now);
  return control
    .insert(account)
    .values({ ...identity, createdAt: at, updatedAt: at })
    .onConflictDoNothing();
}
