import type { JobPayload } from "#core/jobs/index.ts";
import { randomBytes, toBase64Url } from "#core/kernel/crypto.ts";
import { openUnderMaster, parseMasterKeys, sealUnderMaster } from "#core/vault/index.ts";
import type { AccountsDeps } from "./deps.ts";
import { countForAddress, MAIL_REQUESTS, mayMail } from "./limits.ts";
import { findCredentialByEmail } from "./people.store.ts";
import { sendRecoveryCode } from "./recover-password.ts";
import { findSignUpByEmail } from "./sign-up.store.ts";
import { prepareAccountExists, prepareVerification } from "./sign-up-mails.ts";

type Kind = JobPayload<"write-account-mail">["kind"];

/**
 * Queues a request for an account e-mail. Anyone may make one for any e-mail address. A job later checks whether the
 * address is known, so that the response has the same status, body and timing either way. Beyond the recipient's limit
 * no e-mail is sent, and the response is still the same.
 * @throws AppError `err.attempts.limit` for the requesting network address, never for the recipient
 */
async function requestAccountMail(
  deps: Pick<AccountsDeps, "control" | "clock" | "queue" | "settings">,
  { kind, email, headers }: { kind: Kind; email: string; headers: Headers },
): Promise<void> {
  await countForAddress(deps, MAIL_REQUESTS, headers);
  if (!(await mayMail(deps, { kind, email, headers }))) return;
  const requestId = toBase64Url(randomBytes(16));
  const ring = parseMasterKeys(deps.settings.MASTER_KEYS);
  const sealedEmail = await sealUnderMaster(ring, { purpose: "account-mail", ownerId: requestId }, email);
  const requestedAt = deps.clock.now();
  await deps.queue.send([
    { job: "write-account-mail", payload: { kind, requestId, sealedEmail, requestedAt } },
  ]);
}

/**
 * Sends a code for replacing a forgotten password, if the e-mail address has an account. If a sign-up awaits
 * confirmation, sends its link instead, with which the person can choose another password.
 */
export function forgotPassword(
  deps: Pick<AccountsDeps, "control" | "clock" | "queue" | "settings">,
  email: string,
  headers: Headers = new Headers(),
): Promise<void> {
  return requestAccountMail(deps, { kind: "recovery-code", email, headers });
}

/** Sends another confirmation link, if a sign-up awaits confirmation. */
export function resendVerification(
  deps: Pick<AccountsDeps, "control" | "clock" | "queue" | "settings">,
  email: string,
  headers: Headers = new Headers(),
): Promise<void> {
  return requestAccountMail(deps, { kind: "verify-email", email, headers });
}

/**
 * The job that both functions queue: looks up the person and queues the e-mail. Running it again sends nothing more.
 */
export async function writeAccountMail(
  deps: Pick<AccountsDeps, "control" | "clock" | "ids" | "queue" | "settings">,
  { kind, requestId, sealedEmail, requestedAt }: JobPayload<"write-account-mail">,
): Promise<void> {
  const ring = parseMasterKeys(deps.settings.MASTER_KEYS);
  const email = await openUnderMaster(ring, { purpose: "account-mail", ownerId: requestId }, sealedEmail);
  const isForgotten = kind === "recovery-code";
  const person = await findCredentialByEmail(deps.control, email);
  if (person && isForgotten) return sendRecoveryCode(deps, { person, requestId, requestedAt });
  const waiting = await findSignUpByEmail(deps.control, { email, now: deps.clock.now() });
  if (!waiting) return;
  const { id, expiresAt } = waiting;
  const occasion = `${kind}:${requestId}`;
  const { statement, job } = person
    ? await prepareAccountExists(deps, { email, occasion })
    : await prepareVerification(deps, { id, email, expiresAt, occasion, isForgotten });
  await statement;
  await deps.queue.send([job]);
}
