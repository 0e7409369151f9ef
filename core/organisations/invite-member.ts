import { auditStatement, countActions } from "#core/audit/index.ts";
import { failedConstraint } from "#core/database/failed-constraint.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { JobQueue } from "#core/jobs/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { type Clock, DAY_MS } from "#core/kernel/clock.ts";
import type { IdSource } from "#core/kernel/ids.ts";
import { holdsLink, holdsUnseen } from "#core/kernel/name-rules.ts";
import { queueMail } from "#core/mail/index.ts";
import { checkRights } from "./check-rights.ts";
import { findInvitationFacts, insertInvitation } from "./invitation.store.ts";
import {
  createInvitationCode,
  INVITATION_DAYS,
  INVITATION_MS,
  MOST_INVITATIONS_A_DAY,
} from "./invitation-code.ts";
import type { Member } from "./member.ts";
import { requireOwner } from "./require-owner.ts";
import { parseRoles } from "./role-strings.ts";

/** Dependencies of inviting. */
export type InviteDeps = {
  control: ControlDatabase;
  clock: Clock;
  ids: IdSource;
  queue: JobQueue;
  connectors: ReadonlyMap<string, unknown>;
  settings: { MASTER_KEYS: string; PUBLIC_URL: string };
};

/**
 * Invites a person by e-mail: writes invitation, e-mail and audit entry in one batch. Whether the address already has
 * an account changes only which e-mail is sent, never the result. An organisation can invite at most ten people, even
 * with concurrent calls. An address whose invitation has expired can be invited again.
 *
 * @param email In lower case, as validated by `emailSchema`
 * @throws AppError `err.role.forbidden`, `err.organisation.nameless`, `err.role.unknown`, `err.role.plan`,
 *   `err.connection.missing`, `err.connection.unauthorized`, `err.invitation.exists`, `err.invitation.limit`,
 *   `err.attempts.limit`, `err.request.invalid` (oneself, no right at all)
 */
export async function inviteMember(
  deps: InviteDeps,
  inviter: Member,
  { email, roles }: { email: string; roles: readonly string[] },
): Promise<{ id: string }> {
  requireOwner(inviter);
  const { organisationId } = inviter;
  const wanted = parseRoles(roles, (platform) => deps.connectors.has(platform));
  if (roles.length === 0) throw invalid("Choose at least one access right.");
  if (email === inviter.email) throw invalid("You cannot invite yourself.");
  const { organisationName, hasAccount } = await findInvitationFacts(deps.control, { organisationId, email });
  if (organisationName === "") throw new AppError("err.organisation.nameless");
  refuseMisleading(organisationName, inviter.name);
  await checkRights(deps, organisationId, { wanted, present: {} });
  const now = deps.clock.now();
  await limitInvitations(deps, { organisationId, now });

  const id = deps.ids.next("invitation");
  const { code, codeHash } = await createInvitationCode(id);
  const names = { organisationName, inviterName: inviter.name };
  const url = `${deps.settings.PUBLIC_URL}/invite?${new URLSearchParams({ email, code })}`;
  const order = { occasion: `invitation:${id}`, organisationId, recipient: email };
  const mail = hasAccount
    ? await queueMail(deps, {
        ...order,
        message: "invitation-for-existing",
        data: { ...names, url: `${deps.settings.PUBLIC_URL}/auth/login` },
      })
    : await queueMail(deps, {
        ...order,
        message: "invitation",
        data: { ...names, url, code, days: INVITATION_DAYS },
      });
  const invitedBy = inviter.userId;
  const row = { id, organisationId, email, codeHash, platformRoles: wanted, invitedBy };
  await deps.control
    .batch([
      ...insertInvitation(deps.control, { ...row, createdAt: now, expiresAt: now + INVITATION_MS }),
      mail.statement,
      auditStatement(deps, {
        organisationId,
        userId: inviter.userId,
        userName: inviter.name,
        action: "invite-user",
        subject: email,
      }),
    ])
    .catch((cause: unknown) => {
      throw refusalOf(cause) ?? cause;
    });
  await deps.queue.send([mail.job]);
  return { id };
}

/**
 * Refuses misleading names. A name may be older than the rules for names, and the e-mail would show it to a stranger.
 */
function refuseMisleading(...names: string[]): void {
  if (!names.some((name) => holdsLink(name) || holdsUnseen(name))) return;
  const message = "Please change the name of your organisation, or your own, first: it may not hold a link.";
  throw new AppError("err.organisation.nameless", { message });
}

async function limitInvitations(
  deps: Pick<InviteDeps, "control">,
  { organisationId, now }: { organisationId: string; now: number },
): Promise<void> {
  const sent = await countActions(deps, { organisationId, action: "invite-user", since: now - DAY_MS });
  if (sent >= MOST_INVITATIONS_A_DAY) throw new AppError("err.attempts.limit");
}

function refusalOf(cause: unknown): AppError | null {
  switch (failedConstraint(cause)) {
    case "invitation.code_hash":
      return new AppError("err.invitation.limit");
    case "invitation.email":
    case "invitation.organisation_id, invitation.email":
      return new AppError("err.invitation.exists");
    default:
      return null;
  }
}

function invalid(message: string): AppError {
  return new AppError("err.request.invalid", { message });
}
