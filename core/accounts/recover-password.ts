import { recordAction } from "#core/audit/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import { equalBytes, hmacSha256, toHex, utf8 } from "#core/kernel/crypto.ts";
import { queueMail } from "#core/mail/index.ts";
import type { AccountsDeps } from "./deps.ts";
import { endSessions } from "./end-sessions.ts";
import { unlinkHostAccounts } from "./host-account.store.ts";
import { rememberDevice } from "./known-device.ts";
import { countForAddress, RECOVERIES } from "./limits.ts";
import type { NewPassword } from "./password.schema.ts";
import { type Credential, findCredentialById, verifyEmailOf } from "./people.store.ts";
import { consumeReset, spendResetTry, upsertReset } from "./recovery.store.ts";
import { announcePasswordChange, setPassword } from "./set-password.ts";

/** How long a code is valid, and how often one may be tried. */
export const RECOVERY_MINUTES = 15;
const CODE_TRIES = 5;
const CODE_DIGITS = 8;

/**
 * Queues the e-mail with a recovery code. The code and the occasion are derived from the request, so that a repeated
 * job changes nothing. Only the code's MAC is stored.
 */
export async function sendRecoveryCode(
  deps: Pick<AccountsDeps, "control" | "clock" | "ids" | "queue" | "settings">,
  { person, requestId, requestedAt }: { person: Credential; requestId: string; requestedAt: number },
): Promise<void> {
  const code = await codeOfRequest(deps, requestId);
  const { statement, job } = await queueMail(deps, {
    occasion: `recovery-code:${requestId}`,
    organisationId: person.organisationId,
    recipient: person.email,
    message: "recovery-code",
    data: { code, minutes: RECOVERY_MINUTES },
  });
  const reset = upsertReset(deps.control, {
    userId: person.userId,
    codeHash: toHex(await macOfCode(deps, person.userId, code)),
    expiresAt: requestedAt + RECOVERY_MINUTES * MINUTE_MS,
  });
  await deps.control.batch([reset, statement]);
  await deps.queue.send([job]);
}

/**
 * Sets a new password for a person who received the code. This also verifies their e-mail address; all their sessions
 * end, and so does every link to an account at a host. Unknown addresses and wrong, used or expired codes get the same error.
 * @returns cookies that count this browser's guesses separately from strangers'
 * @throws AppError `err.recovery.code`, `err.attempts.limit`
 */
export async function confirmPassword(
  deps: AccountsDeps,
  { email, code, newPassword }: { email: string; code: string; newPassword: NewPassword },
  headers: Headers = new Headers(),
): Promise<{ setCookie: string[] }> {
  await countForAddress(deps, RECOVERIES, headers);
  const now = deps.clock.now();
  const reset = await spendResetTry(deps.control, { email, most: CODE_TRIES, now });
  const given = await macOfCode(deps, reset?.userId ?? "nobody", code);
  const isRight = reset !== null && equalBytes(utf8(toHex(given)), utf8(reset.codeHash));
  if (!isRight || !(await consumeReset(deps.control, reset))) throw new AppError("err.recovery.code");
  const { userId } = reset;
  await setPassword(deps, { userId, password: newPassword });
  await verifyEmailOf(deps.control, { userId, email, now });
  await endSessions(deps, { userId });
  // Somebody else may have signed up with this address in a host's frame, where nobody confirms it.
  await unlinkHostAccounts(deps.control, userId);
  const person = await findCredentialById(deps.control, userId);
  if (person) {
    await announcePasswordChange(deps, person);
    if (person.organisationId !== null) {
      await recordAction(deps, {
        organisationId: person.organisationId,
        userId,
        userName: `${person.name} ${person.familyName}`.trim(),
        action: "recover-password",
      });
    }
  }
  return { setCookie: [await rememberDevice(deps, email)] };
}

/** Eight digits derived from the random request id. Computing them requires this installation's secret. */
async function codeOfRequest(deps: Pick<AccountsDeps, "settings">, requestId: string): Promise<string> {
  const mac = await hmacSha256(utf8(deps.settings.AUTH_SECRET), utf8(`recovery code of\n${requestId}`));
  const number = new DataView(mac.buffer).getBigUint64(0) % 10n ** BigInt(CODE_DIGITS);
  return String(number).padStart(CODE_DIGITS, "0");
}

/**
 * The stored MAC of a code. The plain hash of a short code could be brute-forced; the MAC's key is not in the database.
 */
function macOfCode(deps: Pick<AccountsDeps, "settings">, userId: string, code: string): Promise<Uint8Array> {
  return hmacSha256(utf8(deps.settings.AUTH_SECRET), utf8(`recovery code\n${userId}\n${code}`));
}
