import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/index.ts";
import { acceptFactor } from "./check-factor.ts";
import type { AccountsDeps } from "./deps.ts";
import { countOrRefuse, FACTOR_CHECKS, PASSWORD_CHECKS } from "./limits.ts";
import { findCredentialById } from "./people.store.ts";
import { findFactor } from "./two-factor.store.ts";

/** What a person enters to confirm that it is really they. */
export type Proof = {
  password: string;
  /** Of the authenticator, or a recovery code; needed while the second factor is on. */
  code?: string | null | undefined;
};

/**
 * Makes sure that the person at an open session is the one who opened it, before something that cannot be taken back. Whoever
 * signs in through another service has no password and sets one first, by password recovery. Attempts are counted apart
 * from those of a sign-in, so that a stranger cannot use them up.
 * @throws AppError `err.password.absent`, `err.password.wrong`, `err.credentials.limit`, `err.code.invalid`,
 * `err.code.expired`, `err.code.used`, `err.attempts.limit`
 */
export async function proveIdentity(
  deps: Pick<AccountsDeps, "control" | "clock" | "passwords" | "settings">,
  { userId }: Pick<Member, "userId">,
  { password, code }: Proof,
): Promise<void> {
  const person = await findCredentialById(deps.control, userId);
  if (!person?.passwordHash) throw new AppError("err.password.absent");
  const refund = await countOrRefuse(deps, PASSWORD_CHECKS, `proof by ${userId}`);
  if (!(await deps.passwords.check(person.passwordHash, password)))
    throw new AppError("err.password.wrong", { message: "The password is not correct." });
  await refund();
  const factor = await findFactor(deps.control, userId);
  if (!factor?.enabledAt) return;
  const refundFactor = await countOrRefuse(deps, FACTOR_CHECKS, `settings of ${userId}`);
  await acceptFactor(deps, factor, code ?? "");
  await refundFactor();
}
