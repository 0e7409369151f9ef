import { auditStatement } from "#core/audit/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Clock } from "#core/kernel/clock.ts";
import type { IdSource } from "#core/kernel/ids.ts";
import type { LivePublisher } from "#core/live/publisher.ts";
import { checkRights } from "./check-rights.ts";
import { findInvitee, inviteeStands, updateRoles } from "./invitee.store.ts";
import type { Member } from "./member.ts";
import { requireOwner } from "./require-owner.ts";
import { parseRoles } from "./role-strings.ts";

/**
 * Changes an invitee's rights; an empty list is allowed. The new rights apply from the next call. Open screens
 * reconnect, so a person gets no more events of a platform they lost.
 * @param targetId Their sub, or their invitation's id
 * @throws AppError `err.role.forbidden`, `err.not.found`, and as `inviteMember` about the rights
 */
export async function updateInvitee(
  deps: {
    control: ControlDatabase;
    clock: Clock;
    ids: IdSource;
    live: LivePublisher;
    connectors: ReadonlyMap<string, unknown>;
  },
  owner: Member,
  { targetId, roles }: { targetId: string; roles: readonly string[] },
): Promise<void> {
  requireOwner(owner);
  const { organisationId } = owner;
  const target = { organisationId, id: targetId };
  const found = await findInvitee(deps.control, target);
  if (!found) throw new AppError("err.not.found");
  // A right on a platform that is no longer offered may stay.
  const wanted = parseRoles(
    roles,
    (platform) => deps.connectors.has(platform) || Object.hasOwn(found.platformRoles, platform),
  );
  await checkRights(deps, organisationId, { wanted, present: found.platformRoles });
  await deps.control.batch([
    auditStatement(
      deps,
      {
        organisationId,
        userId: owner.userId,
        userName: owner.name,
        action: "update-user",
        subject: found.email,
      },
      inviteeStands(target),
    ),
    ...updateRoles(deps.control, target, wanted),
  ]);
  await deps.live.disconnect(organisationId, { userId: targetId, mayReturn: true });
}
