import { auditStatement } from "#core/audit/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Clock } from "#core/kernel/clock.ts";
import type { IdSource } from "#core/kernel/ids.ts";
import { queueMail } from "#core/mail/index.ts";
import { findClosedAccount, isReopenable, reopenStatements } from "./closed-account.store.ts";

/** Dependencies of opening a closed account again. */
export type ReopenDeps = {
  control: ControlDatabase;
  clock: Clock;
  ids: IdSource;
  settings: { MASTER_KEYS: string; PUBLIC_URL: string };
};

/**
 * Lets somebody in whose account may be closed: its owner opens it again by signing in, as long as its removal has not begun.
 * Everybody has access again then. Subscriptions ended when it was closed, so they are bought anew. Of an open account it
 * does nothing.
 *
 * @param mayReopen False where nobody signs in on purpose, as in a frame that signs its person in by itself
 * @throws AppError `err.account.closed` for members, `err.account.closing` once the removal has begun
 */
export async function reopenAccount(
  deps: ReopenDeps,
  { userId, mayReopen }: { userId: string; mayReopen: boolean },
): Promise<void> {
  const closed = await findClosedAccount(deps.control, userId);
  if (!closed) return;
  const { organisationId, role, name, email, timeZone } = closed;
  if (role !== "owner" || !mayReopen) throw new AppError("err.account.closed");
  const when = isReopenable(organisationId);
  const at = deps.clock.now();
  const entry = { organisationId, userId, userName: name, action: "reopen-account" };
  // The cron queues it.
  const mail = await queueMail(deps, {
    occasion: `account-reopened:${organisationId}:${at}`,
    organisationId,
    recipient: email,
    message: "account-reopened",
    data: { at, timeZone, url: deps.settings.PUBLIC_URL },
    when,
  });
  const [, , opened] = await deps.control.batch([
    auditStatement(deps, entry, when),
    mail.statement,
    ...reopenStatements(deps.control, organisationId),
  ]);
  // Of two sign-ins at once the other one opened it, or its removal began.
  if (opened.length === 0 && (await findClosedAccount(deps.control, userId)) !== null)
    throw new AppError("err.account.closing");
}
