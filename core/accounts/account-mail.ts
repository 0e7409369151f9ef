import type { JobPayload } from "#core/jobs/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { randomBytes, toBase64Url } from "#core/kernel/crypto.ts";
import { openUnderMaster, parseMasterKeys, sealUnderMaster } from "#core/vault/index.ts";
import { sendVerification } from "./confirm-email.ts";
import type { AccountsDeps } from "./deps.ts";
import { countForAccount, countForAddress, MAIL_REQUESTS, MAILS_TO_RECIPIENT } from "./limits.ts";
import { findCredentialByEmail } from "./people.store.ts";
import { sendRecoveryCode } from "./recover-password.ts";

type Kind = JobPayload<"write-account-mail">["kind"];

/**
 * Takes a request for an e-mail that everybody may make for every address. Whether the address is known is found out
 * by a job afterwards, so that status, body and time of the answer are the same. Beyond the recipient's limit nothing
 * is sent and the answer is the same again.
 * @throws AppError `err.attempts.limit` for the address that asks, never for the recipient
 */
async function requestAccountMail(
  deps: AccountsDeps,
  { kind, email, headers }: { kind: Kind; email: string; headers: Headers },
): Promise<void> {
  await countForAddress(deps, MAIL_REQUESTS, headers);
  const toRecipient = { ...MAILS_TO_RECIPIENT, name: `${MAILS_TO_RECIPIENT.name}:${kind}` };
  try {
    await countForAccount(deps, toRecipient, { email, headers });
  } catch (cause) {
    if (cause instanceof AppError && cause.code === toRecipient.code) return;
    throw cause;
  }
  const requestId = toBase64Url(randomBytes(16));
  const ring = parseMasterKeys(deps.settings.MASTER_KEYS);
  const sealedEmail = await sealUnderMaster(ring, { purpose: "account-mail", ownerId: requestId }, email);
  const requestedAt = deps.clock.now();
  await deps.queue.send([
    { job: "write-account-mail", payload: { kind, requestId, sealedEmail, requestedAt } },
  ]);
}

/** Sends a code with which a forgotten password is replaced, if the address has an account. */
export function forgotPassword(
  deps: AccountsDeps,
  email: string,
  headers: Headers = new Headers(),
): Promise<void> {
  return requestAccountMail(deps, { kind: "recovery-code", email, headers });
}

/** Sends another confirmation link, if the address has an account that needs one. */
export function resendVerification(
  deps: AccountsDeps,
  email: string,
  headers: Headers = new Headers(),
): Promise<void> {
  return requestAccountMail(deps, { kind: "verify-email", email, headers });
}

/** The job behind both: finds the person and writes the e-mail. Repeating it sends nothing more. */
export async function writeAccountMail(
  deps: AccountsDeps,
  { kind, requestId, sealedEmail, requestedAt }: JobPayload<"write-account-mail">,
): Promise<void> {
  const ring = parseMasterKeys(deps.settings.MASTER_KEYS);
  const email = await openUnderMaster(ring, { purpose: "account-mail", ownerId: requestId }, sealedEmail);
  const person = await findCredentialByEmail(deps.control, email);
  if (!person) return;
  if (kind === "recovery-code") return sendRecoveryCode(deps, { person, requestId, requestedAt });
  if (person.isEmailVerified) return;
  await sendVerification(deps, { userId: person.userId, email, occasion: `verify-email:${requestId}` });
}
