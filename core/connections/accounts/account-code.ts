import { auditStatement } from "#core/audit/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import { equalBytes, randomBytes, utf8 } from "#core/kernel/crypto.ts";
import { queueMail } from "#core/mail/index.ts";
import { getOrganisationKey, listMembers, type Member } from "#core/organisations/index.ts";
import type { AccessServices, MailServices, SessionServices, Uses } from "#core/services.ts";
import { openSecret, sealSecret } from "#core/vault/index.ts";
import type { ConnectionRow } from "../connection.store.ts";
import { findConnectionRow } from "../connection.store.ts";
import { CODE_DIGITS, CODE_MINUTES, CODE_TRIES, CODE_WINDOW_MS, CODES_PER_WINDOW } from "../limits.ts";
import { connectorOf, openSession } from "../open-session.ts";
import { type ConnectionScope, doneBy, requireAccount } from "../require-connection.ts";
import { toConnectionView } from "../to-views.ts";
import type { ConnectionView } from "../views.ts";
import { confirmWithCode, isCodeStanding, spendCodeTry, upsertCode } from "./account-code.store.ts";
import { installDetails, reachAccount } from "./reach-account.ts";

const PURPOSE = "account-code";

/**
 * Sends the code that confirms an account connected by name (spec P-209). The code goes to the organisation's owner,
 * who decides whether this account may be backed up here. A new code replaces the previous one.
 *
 * @throws AppError `err.app.missing`; `err.app.delay` after the code was sent, while the platform does not grant access
 *   yet; `err.account.confirmed`, `err.attempts.limit`
 */
export async function sendAccountCode(
  s: AccessServices & SessionServices & MailServices,
  member: Member,
  input: ConnectionScope,
): Promise<{ sentTo: string }> {
  const connection = await requireUnconfirmed(s, member, input);
  const answer = await reachAccount(s, {
    platform: input.platform,
    session: openSession(s, connection),
    name: connection.name,
  });
  const details = installDetails(s, input.platform);
  if (answer.kind === "missing") throw new AppError("err.app.missing", { details });
  const sentTo = await mailCode(s, connection);
  if (answer.kind === "delayed") throw new AppError("err.app.delay", { details: { sentTo } });
  return { sentTo };
}

/** Generates a code, stores it sealed and mails it. @throws AppError `err.attempts.limit` */
export async function mailCode(
  s: MailServices & Uses<"connectors">,
  connection: ConnectionRow,
): Promise<string> {
  const code = drawCode();
  const key = await getOrganisationKey(s, connection.organisationId);
  const now = s.clock.now();
  const isStored = await upsertCode(s.control, {
    connectionId: connection.id,
    organisationId: connection.organisationId,
    sealedCode: await sealSecret(key, { purpose: PURPOSE, ownerId: connection.id }, code),
    expiresAt: now + CODE_MINUTES * MINUTE_MS,
    now,
    windowMs: CODE_WINDOW_MS,
    most: CODES_PER_WINDOW,
  });
  if (!isStored) throw new AppError("err.attempts.limit");
  const owner = (await listMembers(s, connection.organisationId)).find(({ role }) => role === "owner");
  if (!owner) throw new AppError("err.not.found");
  const mail = await queueMail(s, {
    occasion: `account-code:${connection.id}:${now}`,
    organisationId: connection.organisationId,
    recipient: owner.email,
    message: "account-code",
    data: {
      code,
      minutes: CODE_MINUTES,
      platformLabel: connectorOf(s, connection.platform).descriptor.label,
      accountName: connection.name,
    },
  });
  await mail.statement;
  await s.queue.send([mail.job]);
  return maskedEmail(owner.email);
}

/**
 * Confirms an account with the code from the e-mail (spec P-210, P-211). A code works once, for a quarter of an hour
 * and five tries. Wrong, used and expired codes give the same error.
 *
 * @throws AppError `err.account.code`, `err.account.confirmed`
 */
export async function confirmAccount(
  s: AccessServices & Uses<"ids" | "live" | "settings">,
  member: Member,
  input: ConnectionScope & { code: string },
): Promise<ConnectionView> {
  const connection = await requireUnconfirmed(s, member, input);
  const { organisationId, id: connectionId } = connection;
  const spent = await spendCodeTry(s.control, {
    organisationId,
    connectionId,
    most: CODE_TRIES,
    now: s.clock.now(),
  });
  if (!spent) throw new AppError("err.account.code");
  const key = await getOrganisationKey(s, organisationId);
  const code = await openSecret(key, { purpose: PURPOSE, ownerId: connectionId }, spent.sealedCode);
  if (!equalBytes(utf8(code), utf8(input.code.replace(/\s+/g, "")))) throw new AppError("err.account.code");
  const entry = auditStatement(
    s,
    { ...doneBy(member, input.platform), action: "confirm-account", subject: connection.name },
    isCodeStanding(connectionId, spent.sealedCode),
  );
  const isDone = await confirmWithCode(
    s.control,
    { organisationId, connectionId, sealedCode: spent.sealedCode },
    entry,
  );
  if (!isDone) throw new AppError("err.account.code");
  await s.live.publish(organisationId, [
    { method: "connection-changed", platform: input.platform, connectionId },
  ]);
  return toConnectionView(
    s,
    (await findConnectionRow(s.control, organisationId, connectionId)) ?? connection,
  );
}

/** The account that waits for its code; the oldest such account when none is given. */
async function requireUnconfirmed(
  s: AccessServices,
  member: Member,
  scope: ConnectionScope,
): Promise<ConnectionRow> {
  const waits = ({ isConfirmed }: ConnectionRow) => !isConfirmed;
  const { connection } = await requireAccount(s, member, scope, "manage", waits);
  if (connection.isConfirmed) throw new AppError("err.account.confirmed");
  return connection;
}

/** Digits of 64 random bits. That is so many more values than codes that the modulo bias does not matter. */
function drawCode(): string {
  const number = new DataView(randomBytes(8).buffer).getBigUint64(0) % 10n ** BigInt(CODE_DIGITS);
  return String(number).padStart(CODE_DIGITS, "0");
}

/** Masks an address: enough to recognise the mailbox, because a manager need not know the owner's address. */
function maskedEmail(email: string): string {
  const at = email.lastIndexOf("@");
  return `${email.slice(0, 1)}•••${email.slice(at)}`;
}
