import { auditStatement } from "#core/audit/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Clock } from "#core/kernel/clock.ts";
import type { IdSource } from "#core/kernel/ids.ts";
import type { LivePublisher } from "#core/live/publisher.ts";
import { deleteInvitee, findInvitee, inviteeStands } from "./invitee.store.ts";
import type { Member } from "./member.ts";
import { requireOwner } from "./require-owner.ts";

/**
 * Removes an invitee, joined or not: person, credentials and sessions in one batch, then their open screens. Their
 * e-mail address becomes free; their actions stay in the audit trail.
 * @param targetId Their sub, or their invitation's id
 * @throws AppError `err.role.forbidden`, `err.not.found` (also for the owner)
 */
export async function removeInvitee(
  deps: {
    control: ControlDatabase;
    clock: Clock;
    ids: IdSource;
    live: LivePublisher;
    avatars: R2Bucket;
  },
  owner: Member,
  { targetId }: { targetId: string },
): Promise<void> {
  requireOwner(owner);
  const { organisationId } = owner;
  const target = { organisationId, id: targetId };
  const found = await findInvitee(deps.control, target);
  if (!found) throw new AppError("err.not.found");
  const entry = {
    organisationId,
    userId: owner.userId,
    userName: owner.name,
    action: "remove-user",
    subject: found.email,
  };
  const [written] = await deps.control.batch([
    auditStatement(deps, entry, inviteeStands(target)),
    ...deleteInvitee(deps.control, target),
  ]);
  // They became the owner meanwhile, or somebody else removed them.
  if (written.meta.changes === 0) throw new AppError("err.not.found");
  await deps.live.disconnect(organisationId, { userId: targetId });
  const photos = await deps.avatars.list({ prefix: `${targetId}/` });
  if (photos.objects.length > 0) await deps.avatars.delete(photos.objects.map(({ key }) => key));
}
