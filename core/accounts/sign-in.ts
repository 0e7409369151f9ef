import { AppError } from "#core/kernel/app-error.ts";
import { beginChallenge, needsSecondFactor } from "./challenge.ts";
import type { AccountsDeps } from "./deps.ts";
import { countForAccount, countForAddress, PASSWORD_CHECKS, PASSWORD_CHECKS_OF_ADDRESS } from "./limits.ts";
import { createSession, endCarriedSession, type NewSession } from "./new-session.ts";
import type { SignIn } from "./password.schema.ts";
import { findCredentialByEmail } from "./people.store.ts";
import { findSignUpByEmail } from "./sign-up.store.ts";

/** The result of a correct password. */
export type SignInOutcome =
  | ({ kind: "session" } & NewSession)
  | { kind: "two_factor"; challenge: string; expiresAt: number; setCookie: string[] };

/**
 * Checks e-mail and password. Unknown addresses and wrong passwords get the same error after the same work. Only a
 * caller with the correct password learns that a sign-up awaits confirmation, whether or not the address has an
 * account.
 * @throws AppError `err.credentials.wrong`, `err.credentials.unconfirmed`, `err.credentials.limit`
 */
export async function signIn(
  deps: AccountsDeps,
  { email, password, rememberMe }: SignIn,
  headers: Headers = new Headers(),
): Promise<SignInOutcome> {
  const refundAddress = await countForAddress(deps, PASSWORD_CHECKS_OF_ADDRESS, headers);
  const refund = await countForAccount(deps, PASSWORD_CHECKS, { email, headers });
  const person = await findCredentialByEmail(deps.control, email);
  const isRight = await deps.passwords.check(person?.passwordHash ?? null, password);
  if (!person || !isRight) throw await refusalOf(deps, { email, password });
  await refund();
  await refundAddress();
  if (!person.isEmailVerified) throw new AppError("err.credentials.unconfirmed");
  const { userId } = person;
  if (await needsSecondFactor(deps, userId)) {
    return { kind: "two_factor", ...(await beginChallenge(deps, { userId, isRemembered: rememberMe })) };
  }
  await endCarriedSession(deps, headers);
  return { kind: "session", ...(await createSession(deps, { userId, isRemembered: rememberMe })) };
}

async function refusalOf(
  deps: Pick<AccountsDeps, "control" | "clock" | "passwords">,
  { email, password }: Pick<SignIn, "email" | "password">,
): Promise<AppError> {
  const waiting = await findSignUpByEmail(deps.control, { email, now: deps.clock.now() });
  const isTheirs = await deps.passwords.check(waiting?.passwordHash ?? null, password);
  return new AppError(isTheirs ? "err.credentials.unconfirmed" : "err.credentials.wrong");
}
