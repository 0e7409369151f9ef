import { auditStatement } from "#core/audit/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/index.ts";
import type { AccessServices, Uses } from "#core/services.ts";
import { isRemoved, takeConnection } from "../removed-connection.store.ts";
import { doneBy, requireAccount } from "../require-connection.ts";
import { emptyJobOf } from "../sweep-removed-connections.ts";

/**
 * Removes an account with all its items and backups; the platform's other accounts stay unchanged. Only the owner may
 * do this. The platform's subscription continues.
 *
 * @throws AppError `err.role.forbidden`, `err.plan.required`, `err.connection.missing`
 */
export async function removeAccount(
  s: AccessServices & Uses<"ids" | "queue" | "live">,
  member: Member,
  input: { platform: string; connectionId: string },
): Promise<{ removed: string }> {
  const { connection: old } = await requireAccount(s, member, input, "own");
  const { organisationId, platform } = old;
  const removalId = s.ids.next("connection");
  const now = s.clock.now();
  const removal = { removalId, old, removedBy: member.userId, now };
  const entry = auditStatement(
    s,
    {
      ...doneBy(member, platform),
      action: "remove-account",
      subject: old.name,
      occasion: `remove-account:${old.id}`,
    },
    isRemoved(removal),
  );
  if (!(await takeConnection(s.control, removal, entry))) throw new AppError("err.connection.missing");
  await s.queue.send([emptyJobOf({ organisationId, connectionId: old.id })]);
  await s.live.publish(organisationId, [
    { method: "connection-changed", platform, connectionId: old.id },
    { method: "items-changed", platform, connectionId: old.id, ids: [] },
  ]);
  return { removed: old.id };
}
