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

/** Stores a new attempt. The hourly sweep deletes expired ones. */
export async function insertAttempt(control: ControlDatabase, attempt: NewAttempt): Promise<void> {
  await control.insert(federationAttempt).values(attempt);
}

/**
 * Consumes an attempt that this browser began. One statement finds it and marks it used, so that of two responses with
 * the same state only the first gets it, and another browser cannot use it up.
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

/** A person's identity at a provider. `accountId` combines issuer and subject. */
export type Identity = { providerId: string; accountId: string };

/** The id of the person who has this identity; null when there is none. */
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

/** A person found by e-mail address, with their sign-in methods. */
export type PersonOfEmail = {
  userId: string;
  isEmailVerified: boolean;
  /** The providers of their sign-in methods; `credential` is the password. */
  providerIds: string[];
  /** Null when the person's sign-up failed before it created the organisation. */
  organisationId: string | null;
  timeZone: string | null;
};

/** The person with this e-mail address; null when there is none. */
export async function findPersonByEmail(
  control: ControlDatabase,
  email: string,
): Promise<PersonOfEmail | null> {
  const rows = await control
    .select({
      userId: user.id,
      isEmailVerified: user.emailVerified,
      isAutoConfirmed: user.isAutoConfirmed,
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
  const { userId, isAutoConfirmed, organisationId, timeZone } = first;
  // Nobody confirmed the address of an embedded sign-up.
  const isEmailVerified = first.isEmailVerified && !isAutoConfirmed;
  return { userId, isEmailVerified, providerIds, organisationId, timeZone };
}

/** True when an open invitation exists for this e-mail address. */
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
 * The statement that links an identity to a person. An identity belongs to one person permanently, so a second insert
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
