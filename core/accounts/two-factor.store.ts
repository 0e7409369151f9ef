import { and, eq, gt, isNotNull, isNull, lt, type SQL, sql } from "drizzle-orm";
import { member, recoveryCode, signInChallenge, twoFactor, user } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";

/** A person's second factor, with their e-mail address and organisation. */
export type FactorRow = {
  userId: string;
  email: string;
  organisationId: string;
  sealedSecret: string;
  enabledAt: number | null;
};

/** The person's second factor, enabled or being set up; null when there is none. */
export async function findFactor(control: ControlDatabase, userId: string): Promise<FactorRow | null> {
  const row = await control
    .select({
      userId: twoFactor.userId,
      email: user.email,
      organisationId: member.organisationId,
      sealedSecret: twoFactor.sealedSecret,
      enabledAt: twoFactor.enabledAt,
    })
    .from(twoFactor)
    .innerJoin(user, eq(user.id, twoFactor.userId))
    .innerJoin(member, eq(member.userId, twoFactor.userId))
    .where(eq(twoFactor.userId, userId))
    .get();
  return row ?? null;
}

/** Stores the secret of a setup. Returns false when the factor is already enabled; it must be disabled first. */
export async function saveSecret(
  control: ControlDatabase,
  { userId, sealedSecret, now }: { userId: string; sealedSecret: string; now: number },
): Promise<boolean> {
  const rows = await control
    .insert(twoFactor)
    .values({ userId, sealedSecret, createdAt: now })
    .onConflictDoUpdate({
      target: twoFactor.userId,
      set: { sealedSecret, lastUsedStep: 0, provedAt: null, provedSessionId: null, createdAt: now },
      setWhere: isNull(twoFactor.enabledAt),
    })
    .returning({ userId: twoFactor.userId });
  return rows.length === 1;
}

/**
 * Marks a time step as used. Returns false when it or a later step is already used, even by a simultaneous request, or
 * when the secret has changed.
 */
export async function spendStep(
  control: ControlDatabase,
  { userId, step, sealedSecret }: { userId: string; step: number; sealedSecret: string },
): Promise<boolean> {
  const rows = await control
    .update(twoFactor)
    .set({ lastUsedStep: step })
    .where(
      and(
        eq(twoFactor.userId, userId),
        eq(twoFactor.sealedSecret, sealedSecret),
        lt(twoFactor.lastUsedStep, step),
      ),
    )
    .returning({ userId: twoFactor.userId });
  return rows.length === 1;
}

/** Records that this session has just given a valid code. */
export async function noteProof(
  control: ControlDatabase,
  { userId, sessionId, now }: { userId: string; sessionId: string; now: number },
): Promise<void> {
  await control
    .update(twoFactor)
    .set({ provedAt: now, provedSessionId: sessionId })
    .where(eq(twoFactor.userId, userId));
}

type Proof = { userId: string; sessionId: string; provedSince: number };

const isProved = ({ userId, sessionId, provedSince }: Proof) =>
  and(
    eq(twoFactor.userId, userId),
    eq(twoFactor.provedSessionId, sessionId),
    gt(twoFactor.provedAt, provedSince),
  );

/**
 * Enables the factor and stores its recovery codes, if this session has recently given a valid code. Of simultaneous
 * calls one succeeds, and its codes are stored.
 */
export async function enableFactor(control: ControlDatabase, change: CodesChange): Promise<boolean> {
  return replaceCodes(control, change, {
    set: { enabledAt: change.now },
    where: isNull(twoFactor.enabledAt),
  });
}

/** Replaces all recovery codes, if the factor is enabled and this session has recently given a valid code. */
export async function renewCodes(control: ControlDatabase, change: CodesChange): Promise<boolean> {
  return replaceCodes(control, change, { set: {}, where: isNotNull(twoFactor.enabledAt) });
}

type CodesChange = Proof & { now: number; codeHashes: string[] };

async function replaceCodes(
  control: ControlDatabase,
  { now, codeHashes, ...proof }: CodesChange,
  { set, where }: { set: { enabledAt?: number }; where: SQL },
): Promise<boolean> {
  // During the batch, `provedSessionId` holds a mark of this call.
  const mark = `writing:${codeHashes[0]}`;
  const isMine = sql`exists (select 1 from ${twoFactor} where ${twoFactor.userId} = ${proof.userId} and ${twoFactor.provedSessionId} = ${mark})`;
  const [changed] = await control.batch([
    control
      .update(twoFactor)
      .set({ ...set, provedAt: null, provedSessionId: mark })
      .where(and(isProved(proof), where))
      .returning({ userId: twoFactor.userId }),
    control.delete(recoveryCode).where(and(eq(recoveryCode.userId, proof.userId), isMine)),
    control
      .insert(recoveryCode)
      .select(
        sql`select value, ${proof.userId}, null, ${now} from json_each(${JSON.stringify(codeHashes)}) where ${isMine}`,
      ),
    control.update(twoFactor).set({ provedSessionId: null }).where(eq(twoFactor.provedSessionId, mark)),
  ]);
  return changed.length === 1;
}

/** Deletes the factor and its recovery codes, if this session has recently given a valid code. */
export async function disableFactor(control: ControlDatabase, proof: Proof): Promise<boolean> {
  const isGone = sql`not exists (select 1 from ${twoFactor} where ${twoFactor.userId} = ${proof.userId})`;
  const [removed] = await control.batch([
    control
      .delete(twoFactor)
      .where(and(isProved(proof), isNotNull(twoFactor.enabledAt)))
      .returning({ userId: twoFactor.userId }),
    control.delete(recoveryCode).where(and(eq(recoveryCode.userId, proof.userId), isGone)),
  ]);
  return removed.length === 1;
}

/** Marks a recovery code as used. Returns false when it is unknown or already used. */
export async function spendRecoveryCode(
  control: ControlDatabase,
  { userId, codeHash, now }: { userId: string; codeHash: string; now: number },
): Promise<boolean> {
  const rows = await control
    .update(recoveryCode)
    .set({ usedAt: now })
    .where(
      and(eq(recoveryCode.codeHash, codeHash), eq(recoveryCode.userId, userId), isNull(recoveryCode.usedAt)),
    )
    .returning({ codeHash: recoveryCode.codeHash });
  return rows.length === 1;
}

/** The number of unused recovery codes. */
export async function countRecoveryCodes(control: ControlDatabase, userId: string): Promise<number> {
  return control.$count(recoveryCode, and(eq(recoveryCode.userId, userId), isNull(recoveryCode.usedAt)));
}

type Challenge = { tokenHash: string; userId: string; isRemembered: boolean; expiresAt: number };

/** Stores a sign-in that awaits its second factor. */
export async function insertChallenge(control: ControlDatabase, challenge: Challenge): Promise<void> {
  await control.insert(signInChallenge).values(challenge);
}

/** A challenge that is unexpired and has attempts left; null otherwise. */
export async function findChallenge(
  control: ControlDatabase,
  { tokenHash, most, now }: { tokenHash: string; most: number; now: number },
): Promise<{ expiresAt: number } | null> {
  const row = await control
    .select({ expiresAt: signInChallenge.expiresAt })
    .from(signInChallenge)
    .where(isOpen({ tokenHash, most, now }))
    .get();
  return row ?? null;
}

/** Uses one attempt of a challenge. Returns null when it is unknown, expired, or has no attempt left. */
export async function spendChallengeTry(
  control: ControlDatabase,
  which: { tokenHash: string; most: number; now: number },
): Promise<Challenge | null> {
  const [row] = await control
    .update(signInChallenge)
    .set({ attempts: sql`${signInChallenge.attempts} + 1` })
    .where(isOpen(which))
    .returning({
      tokenHash: signInChallenge.tokenHash,
      userId: signInChallenge.userId,
      isRemembered: signInChallenge.isRemembered,
      expiresAt: signInChallenge.expiresAt,
    });
  return row ?? null;
}

/** Deletes a challenge. Returns false when another request deleted it first. */
export async function consumeChallenge(control: ControlDatabase, tokenHash: string): Promise<boolean> {
  const rows = await control
    .delete(signInChallenge)
    .where(eq(signInChallenge.tokenHash, tokenHash))
    .returning({ tokenHash: signInChallenge.tokenHash });
  return rows.length === 1;
}

function isOpen({ tokenHash, most, now }: { tokenHash: string; most: number; now: number }) {
  return and(
    eq(signInChallenge.tokenHash, tokenHash),
    lt(signInChallenge.attempts, most),
    gt(signInChallenge.expiresAt, now),
  );
}
