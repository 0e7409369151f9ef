import { type AccountsDeps, type Proof, proveIdentity } from "#core/accounts/index.ts";
import { auditStatement } from "#core/audit/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { logger } from "#core/kernel/logger.ts";
import { queueMail } from "#core/mail/index.ts";
import { type Member, requireOwner } from "#core/organisations/index.ts";
import { finishOwnerEmails, orderOwnerEmail } from "#core/payments/index.ts";
import type { MailServices, Uses } from "#core/services.ts";
import {
  findHeir,
  findOwnerId,
  type Handover,
  handOverStatements,
  isPossible,
  ownsOne,
} from "./ownership.store.ts";

const log = logger("ownership");

type HandOverServices = MailServices &
  Uses<"connectors" | "live" | "payments"> &
  Pick<AccountsDeps, "passwords" | "settings">;

/**
 * Makes another member the owner, and the owner a member who is an admin of every platform. One batch writes it, with its
 * audit entry, an e-mail to each of both, and the order that invoices go to the new owner; of several at once, the first one
 * counts. Subscriptions, cards and invoices belong to the organisation, so they stay. It returns after the hub has dropped its
 * copies of both persons' rights; their open screens read theirs anew.
 *
 * @param targetId The sub of a member who has joined
 * @throws AppError `err.role.forbidden`, also when somebody else became the owner meanwhile; `err.not.found`,
 *   `err.owner.elsewhere`, and as `proveIdentity`
 */
export async function handOverOwnership(
  s: HandOverServices,
  owner: Member,
  { targetId, ...proof }: { targetId: string } & Proof,
): Promise<void> {
  requireOwner(owner);
  const { organisationId, userId: formerId } = owner;
  const handover = { organisationId, formerId, heirId: targetId };
  const heir = await findHeir(s.control, handover);
  if (!heir) throw new AppError("err.not.found");
  await proveIdentity(s, owner, proof);
  const when = isPossible(handover);
  const mails = await lettersOf(s, { owner, heir, handover });
  const formerRoles = Object.fromEntries([...s.connectors.keys()].map((id) => [id, "admin" as const]));
  const [decision, follow, followed] = handOverStatements(s.control, handover, formerRoles);
  const entry = {
    organisationId,
    userId: formerId,
    userName: owner.name,
    action: "hand-over-ownership",
    subject: heir.email,
  };
  const [, , , , decided] = await s.control.batch([
    auditStatement(s, entry, when),
    mails[0].statement,
    mails[1].statement,
    orderOwnerEmail(s, organisationId, when),
    decision,
    follow,
    followed,
  ]);
  if (decided.length === 0) throw await refusalOf(s, handover);
  await Promise.all(
    [formerId, targetId].map((userId) => s.live.disconnect(organisationId, { userId, mayReturn: true })),
  );
  await s.queue.send(mails.map(({ job }) => job));
  await finishOwnerEmails(s, organisationId).catch((cause: unknown) =>
    log.warn("The address of {organisationId} is set by the cron", { organisationId, cause }),
  );
}

/** An e-mail to each of both, written if the handover is. */
async function lettersOf(
  s: Omit<MailServices, "queue">,
  {
    owner,
    heir,
    handover,
  }: { owner: Member; heir: NonNullable<Awaited<ReturnType<typeof findHeir>>>; handover: Handover },
) {
  const { organisationId } = handover;
  const changedAt = s.clock.now();
  const id = s.ids.next("mail");
  const letter = (isHeir: boolean) =>
    queueMail(s, {
      occasion: `ownership-changed:${id}:${isHeir ? "heir" : "former"}`,
      organisationId,
      recipient: isHeir ? heir.email : owner.email,
      message: "ownership-changed",
      data: {
        isHeir,
        organisationName: heir.organisationName,
        formerName: owner.name,
        heirName: heir.name,
        heirEmail: heir.email,
        changedAt,
        timeZone: owner.timeZone,
        settingsUrl: `${s.settings.PUBLIC_URL}/settings`,
        contactUrl: `${s.settings.PUBLIC_URL}/contact`,
      },
      when: isPossible(handover),
    });
  return Promise.all([letter(true), letter(false)]);
}

/** Why nothing was handed over. */
async function refusalOf(
  s: Uses<"control">,
  { organisationId, formerId, heirId }: Handover,
): Promise<AppError> {
  if ((await findOwnerId(s.control, organisationId)) !== formerId) return new AppError("err.role.forbidden");
  return new AppError((await ownsOne(s.control, heirId)) ? "err.owner.elsewhere" : "err.not.found");
}
