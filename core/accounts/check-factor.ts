import { AppError } from "#core/kernel/app-error.ts";
import { fromBase64Url, sha256Hex } from "#core/kernel/crypto.ts";
import { getOrganisationKey } from "#core/organisations/index.ts";
import { openSecret } from "#core/vault/index.ts";
import type { AccountsDeps } from "./deps.ts";
import { judgeCode } from "./totp.ts";
import { type FactorRow, spendRecoveryCode, spendStep } from "./two-factor.store.ts";

/** The purpose under which the organisation's key seals the secret. */
export const TOTP_PURPOSE = "totp";

type CheckDeps = Pick<AccountsDeps, "control" | "clock" | "settings">;

/**
 * Accepts a code of the authenticator, once: of simultaneous requests with the same code, one succeeds.
 * @throws AppError `err.code.invalid`, `err.code.expired`, `err.code.used`
 */
export async function acceptAuthenticatorCode(
  deps: CheckDeps,
  factor: FactorRow,
  code: string,
): Promise<void> {
  const key = await getOrganisationKey(deps, factor.organisationId);
  const sealed = { purpose: TOTP_PURPOSE, ownerId: factor.userId };
  const secret = fromBase64Url(await openSecret(key, sealed, factor.sealedSecret));
  const verdict = judgeCode(secret, { code, now: deps.clock.now() });
  if (verdict.kind === "wrong") throw new AppError("err.code.invalid");
  if (verdict.kind === "old") throw new AppError("err.code.expired");
  const { userId, sealedSecret } = factor;
  if (!(await spendStep(deps.control, { userId, step: verdict.step, sealedSecret }))) {
    throw new AppError("err.code.used");
  }
}

/**
 * Accepts a code of the authenticator or, when the phone is lost, a recovery code.
 * @throws AppError the codes of `acceptAuthenticatorCode`
 */
export async function acceptFactor(deps: CheckDeps, factor: FactorRow, code: string): Promise<void> {
  const recovery = normaliseRecoveryCode(code);
  if (recovery === null) return acceptAuthenticatorCode(deps, factor, code.trim());
  const { userId } = factor;
  const codeHash = await hashRecoveryCode(userId, recovery);
  if (!(await spendRecoveryCode(deps.control, { userId, codeHash, now: deps.clock.now() }))) {
    throw new AppError("err.code.invalid");
  }
}

/** Length of a recovery code without its dash: 50 random bits. */
export const RECOVERY_CODE_LENGTH = 10;

/** The stored hash of a recovery code. A plain hash is enough: the code has 50 random bits and attempts are limited. */
export function hashRecoveryCode(userId: string, code: string): Promise<string> {
  return sha256Hex(`recovery code\n${userId}\n${code}`);
}

/** The code in its original form, however it was typed; null when it cannot be a recovery code. */
function normaliseRecoveryCode(text: string): string | null {
  const code = text.toLowerCase().replace(/[\s-]/g, "").replaceAll("o", "0").replace(/[il]/g, "1");
  return code.length === RECOVERY_CODE_LENGTH && /^[0-9a-z]+$/.test(code) ? code : null;
}
