import { AppError } from "#core/kernel/app-error.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import { randomBytes, sha256Hex, toBase64Url } from "#core/kernel/crypto.ts";
import { acceptFactor } from "./check-factor.ts";
import { formatCookie, readCookie } from "./cookies.ts";
import type { AccountsDeps } from "./deps.ts";
import { countForAccount, FACTOR_CHECKS } from "./limits.ts";
import { createSession, endCarriedSession, type NewSession } from "./new-session.ts";
import {
  consumeChallenge,
  findChallenge,
  findFactor,
  insertChallenge,
  spendChallengeTry,
} from "./two-factor.store.ts";

const CHALLENGE_MS = 10 * MINUTE_MS;
const CHALLENGE_TRIES = 5;
const NAME = "challenge";

/** True when the person must also enter a code to sign in. */
export async function needsSecondFactor(
  deps: Pick<AccountsDeps, "control">,
  userId: string,
): Promise<boolean> {
  return ((await findFactor(deps.control, userId))?.enabledAt ?? null) !== null;
}

/**
 * Begins the second step of a sign-in, after the password or identity provider. No session exists until the challenge
 * is answered. Browsers hold the challenge in an HttpOnly cookie; API clients get it in the response.
 */
export async function beginChallenge(
  deps: Pick<AccountsDeps, "control" | "clock" | "settings">,
  { userId, isRemembered }: { userId: string; isRemembered: boolean },
): Promise<{ challenge: string; expiresAt: number; setCookie: string[] }> {
  const challenge = toBase64Url(randomBytes(32));
  const expiresAt = deps.clock.now() + CHALLENGE_MS;
  const tokenHash = await sha256Hex(challenge);
  await insertChallenge(deps.control, { tokenHash, userId, isRemembered, expiresAt });
  const cookie = formatCookie(deps, { name: NAME, value: challenge, maxAgeMs: CHALLENGE_MS });
  return { challenge, expiresAt, setCookie: [cookie] };
}

/** The challenge in the browser's cookie. @throws AppError `err.challenge.expired` when none is valid */
export async function readChallenge(
  deps: Pick<AccountsDeps, "control" | "clock" | "settings">,
  headers: Headers,
): Promise<{ expiresAt: number }> {
  const which = await challengeOf(deps, headers);
  const found = await findChallenge(deps.control, which);
  if (!found) throw new AppError("err.challenge.expired");
  return found;
}

/**
 * Opens a session in exchange for a code of the authenticator or a recovery code. Each challenge allows five attempts;
 * the account's limit applies across challenges.
 * @throws AppError `err.challenge.expired`, `err.code.invalid`, `err.code.expired`, `err.code.used`,
 * `err.attempts.limit`
 */
export async function answerChallenge(
  deps: Pick<AccountsDeps, "control" | "clock" | "ids" | "live" | "settings">,
  { code, challenge }: { code: string; challenge?: string | undefined },
  headers: Headers = new Headers(),
): Promise<NewSession> {
  const which = await challengeOf(deps, headers, challenge);
  const found = await spendChallengeTry(deps.control, which);
  const factor = found && (await findFactor(deps.control, found.userId));
  if (!found || !factor?.enabledAt) throw new AppError("err.challenge.expired");
  const refund = await countForAccount(deps, FACTOR_CHECKS, { email: factor.email, headers });
  await acceptFactor(deps, factor, code);
  await refund();
  if (!(await consumeChallenge(deps.control, found.tokenHash))) throw new AppError("err.challenge.expired");
  await endCarriedSession(deps, headers);
  return createSession(deps, { userId: found.userId, isRemembered: found.isRemembered });
}

async function challengeOf(deps: Pick<AccountsDeps, "clock" | "settings">, headers: Headers, given?: string) {
  const token = given ?? readCookie(deps, headers, NAME) ?? "";
  return { tokenHash: await sha256Hex(token), most: CHALLENGE_TRIES, now: deps.clock.now() };
}
