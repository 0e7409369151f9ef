import { recordAction } from "#core/audit/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import { randomBytes, toBase64Url } from "#core/kernel/crypto.ts";
import { queueMail } from "#core/mail/index.ts";
import { getOrganisationKey, type Member } from "#core/organisations/index.ts";
import { sealSecret } from "#core/vault/index.ts";
import {
  acceptAuthenticatorCode,
  hashRecoveryCode,
  RECOVERY_CODE_LENGTH,
  TOTP_PURPOSE,
} from "./check-factor.ts";
import type { AccountsDeps } from "./deps.ts";
import { countOrRefuse, FACTOR_CHECKS } from "./limits.ts";
import { type NewSession, rotateSession } from "./new-session.ts";
import { describeSecret } from "./totp.ts";
import {
  countRecoveryCodes,
  disableFactor,
  enableFactor,
  findFactor,
  noteProof,
  renewCodes,
  saveSecret,
} from "./two-factor.store.ts";

/** How long a valid code allows the session to change the factor. */
const PROOF_MS = 5 * MINUTE_MS;
/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;

type Asking = { member: Member; sessionId: string };

/**
 * Creates the secret for setting up a second factor; another call replaces it. It has no effect until the factor is
 * enabled.
 * @throws AppError `err.two.factor.enabled`
 */
export async function createFactorSecret(
  deps: Pick<AccountsDeps, "control" | "clock" | "settings">,
  { member }: Asking,
): Promise<{ secret: string; uri: string }> {
  const { userId, organisationId, email } = member;
  const secret = randomBytes(SECRET_BYTES);
  const key = await getOrganisationKey(deps, organisationId);
  const sealed = { purpose: TOTP_PURPOSE, ownerId: userId };
  const sealedSecret = await sealSecret(key, sealed, toBase64Url(secret));
  if (!(await saveSecret(deps.control, { userId, sealedSecret, now: deps.clock.now() }))) {
    throw new AppError("err.two.factor.enabled");
  }
  return describeSecret(secret, email);
}

/**
 * Accepts a code of the authenticator, so that this session may change the factor within five minutes.
 * @throws AppError `err.code.invalid`, `err.code.expired`, `err.code.used`, `err.attempts.limit`
 */
export async function verifyFactorCode(
  deps: Pick<AccountsDeps, "control" | "clock" | "settings">,
  { member: { userId }, sessionId, code }: Asking & { code: string },
): Promise<void> {
  const refund = await countOrRefuse(deps, FACTOR_CHECKS, `settings of ${userId}`);
  const factor = await findFactor(deps.control, userId);
  if (!factor) throw new AppError("err.code.invalid");
  await acceptAuthenticatorCode(deps, factor, code);
  await refund();
  await noteProof(deps.control, { userId, sessionId, now: deps.clock.now() });
}

/**
 * Enables the second factor. Returns ten recovery codes, which are shown only once, and a fresh session that replaces
 * all others.
 * @throws AppError `err.two.factor.enabled`, `err.two.factor.unproved`
 */
export async function enableTwoFactor(
  deps: AccountsDeps,
  { member, sessionId }: Asking,
): Promise<NewSession & { recoveryCodes: string[] }> {
  const { userId } = member;
  if ((await findFactor(deps.control, userId))?.enabledAt) throw new AppError("err.two.factor.enabled");
  const { recoveryCodes, change } = await prepareCodes(deps, { member, sessionId });
  if (!(await enableFactor(deps.control, change))) throw new AppError("err.two.factor.unproved");
  const opened = await announce(deps, { member, sessionId, isEnabled: true });
  return { ...opened, recoveryCodes };
}

/**
 * Creates ten new recovery codes, shown only once, and voids the old ones.
 * @throws AppError `err.two.factor.unproved`, also while the factor is disabled
 */
export async function renewRecoveryCodes(
  deps: Pick<AccountsDeps, "control" | "clock" | "ids">,
  { member, sessionId }: Asking,
): Promise<{ recoveryCodes: string[] }> {
  const { recoveryCodes, change } = await prepareCodes(deps, { member, sessionId });
  if (!(await renewCodes(deps.control, change))) throw new AppError("err.two.factor.unproved");
  const { organisationId, userId, name: userName } = member;
  await recordAction(deps, { organisationId, userId, userName, action: "renew-recovery-codes" });
  return { recoveryCodes };
}

/** Ten codes to show, and the hashes to store. */
async function prepareCodes(deps: Pick<AccountsDeps, "clock">, { member: { userId }, sessionId }: Asking) {
  const codes = Array.from({ length: RECOVERY_CODES }, createRecoveryCode);
  const codeHashes = await Promise.all(codes.map((code) => hashRecoveryCode(userId, code)));
  const now = deps.clock.now();
  return {
    recoveryCodes: codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`),
    change: { userId, sessionId, provedSince: now - PROOF_MS, now, codeHashes },
  };
}

/** Disables the second factor and voids its recovery codes. @throws AppError `err.two.factor.unproved` */
export async function disableTwoFactor(
  deps: AccountsDeps,
  { member, sessionId }: Asking,
): Promise<NewSession> {
  const proof = { userId: member.userId, sessionId, provedSince: deps.clock.now() - PROOF_MS };
  if (!(await disableFactor(deps.control, proof))) throw new AppError("err.two.factor.unproved");
  return announce(deps, { member, sessionId, isEnabled: false });
}

/** Whether the second factor is enabled, and how many recovery codes are left. */
export async function checkTwoFactor(
  deps: Pick<AccountsDeps, "control">,
  userId: string,
): Promise<{ isEnabled: boolean; recoveryCodesLeft: number }> {
  const factor = await findFactor(deps.control, userId);
  if (!factor?.enabledAt) return { isEnabled: false, recoveryCodesLeft: 0 };
  return { isEnabled: true, recoveryCodesLeft: await countRecoveryCodes(deps.control, userId) };
}

async function announce(
  deps: AccountsDeps,
  { member, sessionId, isEnabled }: Asking & { isEnabled: boolean },
): Promise<NewSession> {
  const { userId, organisationId, email, timeZone } = member;
  const opened = await rotateSession(deps, { userId, sessionId });
  const changedAt = deps.clock.now();
  const { statement, job } = await queueMail(deps, {
    occasion: `two-factor-changed:${userId}:${changedAt}`,
    organisationId,
    recipient: email,
    message: "two-factor-changed",
    data: { isEnabled, changedAt, timeZone, settingsUrl: `${deps.settings.PUBLIC_URL}/settings` },
  });
  await statement;
  await deps.queue.send([job]);
  const action = isEnabled ? "enable-two-factor" : "disable-two-factor";
  await recordAction(deps, { organisationId, userId, userName: member.name, action });
  return opened;
}

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

function createRecoveryCode(): string {
  return Array.from(randomBytes(RECOVERY_CODE_LENGTH), (byte) => ALPHABET[byte & 31]).join("");
}
