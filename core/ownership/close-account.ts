import { type AccountsDeps, type Proof, proveIdentity } from "#core/accounts/index.ts";
import { auditStatement } from "#core/audit/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { logger } from "#core/kernel/logger.ts";
import { queueMail } from "#core/mail/index.ts";
import { type Member, requireOwner } from "#core/organisations/index.ts";
import { endEverything } from "#core/payments/index.ts";
import type { MailServices, Uses } from "#core/services.ts";
import { closeStatements, isClosable, listRunningClosures, lookAtClosure } from "./closure.store.ts";
import { listPeopleOf } from "./forget.store.ts";
import { CLOSURES_AT_ONCE, KEPT_MS, SETTLED_MS } from "./limits.ts";

const log = logger("ownership");

type CloseServices = MailServices & Uses<"live" | "payments"> & Pick<AccountsDeps, "passwords" | "settings">;

/**
 * Closes the owner's account. One batch ends the access of everybody, with the audit entry and an e-mail; then the hub drops
 * its copies, and the subscriptions end at once, with what they owe. What dies in between is finished by the cron
 * (`endClosedSubscriptions`): a closed account has no right in any case. Everything is kept for thirty days, in which the
 * owner opens the account again by signing in.
 *
 * @param email The owner's own address, typed to confirm
 * @returns when what the account held is removed, in epoch ms
 * @throws AppError `err.role.forbidden`, `err.request.invalid` for another address, and as `proveIdentity`
 */
export async function closeAccount(
  s: CloseServices,
  owner: Member,
  { email, ...proof }: { email: string } & Proof,
): Promise<{ removalAt: number }> {
  requireOwner(owner);
  if (email.trim().toLowerCase() !== owner.email.toLowerCase())
    throw new AppError("err.request.invalid", { message: "Type the e-mail address of your account." });
  await proveIdentity(s, owner, proof);
  const { organisationId, userId: ownerId } = owner;
  const closedAt = s.clock.now();
  const removalAt = closedAt + KEPT_MS;
  const id = s.ids.next("closure");
  const when = isClosable({ organisationId, ownerId });
  const mail = await queueMail(s, {
    occasion: `account-closed:${id}`,
    organisationId,
    recipient: owner.email,
    message: "account-closed",
    data: { isReminder: false, removalAt, timeZone: owner.timeZone, signInUrl: signInUrlOf(s) },
    when,
  });
  const entry = { organisationId, userId: ownerId, userName: owner.name, action: "close-account" };
  const [, , closed] = await s.control.batch([
    auditStatement(s, entry, when),
    mail.statement,
    ...closeStatements(s.control, { id, organisationId, ownerId, closedAt, removalAt }),
  ]);
  if (closed.length === 0) throw new AppError("err.role.forbidden");
  const people = await listPeopleOf(s.control, organisationId);
  await Promise.all(people.map((userId) => s.live.disconnect(organisationId, { userId })));
  await s.queue.send([mail.job]);
  await end(s, organisationId);
  return { removalAt };
}

/** Where the owner signs in, and so opens the account again. */
export const signInUrlOf = (s: { settings: { PUBLIC_URL: string } }) => `${s.settings.PUBLIC_URL}/auth/login`;

/**
 * Every minute: ends what still runs of closed accounts, so that no subscription outlives its account, wherever the closing
 * died and whatever was being bought meanwhile.
 */
export async function endClosedSubscriptions(
  s: Uses<"clock" | "control" | "ids" | "live" | "payments">,
): Promise<void> {
  const running = await listRunningClosures(s.control, { settledMs: SETTLED_MS, limit: CLOSURES_AT_ONCE });
  for (const { id, organisationId } of running) {
    if (await lookAtClosure(s.control, id, s.clock.now())) await end(s, organisationId);
  }
}

/** One that the payment provider does not end now is tried again by the cron. */
async function end(
  s: Uses<"clock" | "control" | "ids" | "live" | "payments">,
  organisationId: string,
): Promise<void> {
  try {
    await endEverything(s, organisationId);
  } catch (cause) {
    log.error("Subscriptions of the closed {organisationId} could not be ended", { organisationId, cause });
  }
}
