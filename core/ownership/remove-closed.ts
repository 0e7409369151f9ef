import { eraseTrail, OURSELVES } from "#core/audit/index.ts";
import { removeAllAccounts } from "#core/connections/index.ts";
import { logger } from "#core/kernel/logger.ts";
import { endEverything } from "#core/payments/index.ts";
import { markOrganisationErased } from "#core/recovery/index.ts";
import { dropStorage } from "#core/replicas/index.ts";
import type { Uses } from "#core/services.ts";
import { beginRemoval, listDueClosures, lookAtClosure } from "./closure.store.ts";
import { forgetAccount, listPeopleOf } from "./forget.store.ts";
import { BATCHES_PER_SLICE, CLOSURES_AT_ONCE, ENTRIES_AT_ONCE } from "./limits.ts";

const log = logger("ownership");

type RemovalServices = Parameters<typeof dropStorage>[0] &
  Uses<"queue" | "live" | "payments" | "avatars" | "bucket">;

/** Every hour: queues the removals of closed accounts that may begin or go on. */
export async function queueClosures(s: Uses<"clock" | "control" | "queue">): Promise<void> {
  const due = await listDueClosures(s.control, s.clock.now(), CLOSURES_AT_ONCE);
  if (due.length > 0)
    await s.queue.send(due.map((closureId) => ({ job: "remove-closed", payload: { closureId } })));
}

/**
 * One slice of the removal of a closed account, after both warnings: nothing may run at the payment provider any more; then
 * its connected accounts go with all backups, its storage is let go (the files there stay), the audit trail loses what is
 * personal, and at last its people and the organisation are deleted. From the first step on nobody can open the account again.
 * It may die at any point, be repeated, or run twice at once; what waits for another message goes on an hour later.
 *
 * @throws PaymentError, AppError when the payment provider cannot be asked; the next tick tries again
 */
export async function removeClosed(
  s: RemovalServices,
  { closureId }: { closureId: string },
  batches = BATCHES_PER_SLICE,
): Promise<void> {
  const now = s.clock.now();
  const closure = await lookAtClosure(s.control, closureId, now);
  if (!closure || closure.removalAt > now || closure.warnedAgainAt === null) return;
  const { organisationId } = closure;
  if (!(await endEverything(s, organisationId))) {
    log.warn("The removal of the closed {organisationId} waits for the payment provider", { organisationId });
    return;
  }
  if (!(await beginRemoval(s.control, closure))) return;
  const ours = { organisationId, by: OURSELVES };
  if (!(await removeAllAccounts(s, ours))) return;
  await dropStorage(s, ours);
  if (!(await erase(s, organisationId, batches))) {
    await s.queue.send([{ job: "remove-closed", payload: { closureId } }]);
    return;
  }
  const people = await listPeopleOf(s.control, organisationId);
  for (const userId of people) {
    const { objects } = await s.avatars.list({ prefix: `${userId}/` });
    if (objects.length > 0) await s.avatars.delete(objects.map(({ key }) => key));
  }
  await markOrganisationErased(s, organisationId);
  await forgetAccount(s.control, { id: closureId, organisationId, people, now: s.clock.now() });
}

/** True when the trail names nobody any more. */
async function erase(s: Uses<"control">, organisationId: string, batches: number): Promise<boolean> {
  for (let batch = 0; batch < batches; batch++)
    if (await eraseTrail(s, { organisationId, limit: ENTRIES_AT_ONCE })) return true;
  return false;
}
