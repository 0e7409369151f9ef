import { auditStatement } from "#core/audit/index.ts";
import type { Uses } from "#core/services.ts";
import { listAllConnectionRows } from "../connection.store.ts";
import { countRemovedConnections, isRemoved, takeConnection } from "../removed-connection.store.ts";
import { emptyJobOf } from "../sweep-removed-connections.ts";

/**
 * Removes every account of an organisation whose own account is removed, with all items and backups. Their tokens go at once,
 * the rest in messages of their own. It may stop at any point and be repeated.
 * @param by Who did it, in the audit trail
 * @returns true when nothing of them is left
 */
export async function removeAllAccounts(
  s: Uses<"clock" | "ids" | "control" | "queue">,
  { organisationId, by }: { organisationId: string; by: string },
): Promise<boolean> {
  for (const old of await listAllConnectionRows(s.control, organisationId)) {
    const removal = { removalId: s.ids.next("connection"), old, removedBy: "", now: s.clock.now() };
    const entry = auditStatement(
      s,
      { organisationId, userId: null, userName: by, platform: old.platform, action: "remove-account" },
      isRemoved(removal),
    );
    if (await takeConnection(s.control, removal, entry))
      await s.queue.send([emptyJobOf({ organisationId, connectionId: old.id })]);
  }
  return (await countRemovedConnections(s.control, organisationId)) === 0;
}
