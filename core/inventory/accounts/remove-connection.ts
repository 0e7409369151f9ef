import { commitTogether, statement } from "#core/database/statements.ts";
import type { JobMessage } from "#core/jobs/index.ts";
import type { CoreServices } from "#core/services.ts";
import { deleteItemRows, pauseSchedules } from "../change-items.store.ts";
import { listItemIdsOfConnection } from "../items.store.ts";
import { stoppedRunEvents } from "../stopped-runs.ts";
import { forgetRemovedConnection, listRemovedConnections, type RemovedConnection } from "./account.store.ts";
import { REMOVE_AT_ONCE, REMOVED_LEFT_BEHIND_MS, SWEEP_REMOVED } from "./limits.ts";

/**
 * Deletes all data of a replaced connection: items, versions, exports, schedule and places at once, the bytes in one
 * run per item. It may stop at any point and be repeated; the record of the connection is deleted last.
 */
export async function emptyRemovedConnection(
  s: CoreServices,
  removed: Omit<RemovedConnection, "removedAt" | "name">,
): Promise<void> {
  const ledger = s.ledger(removed.region);
  const { organisationId, connectionId, platform, region } = removed;
  await pauseSchedules(ledger, { id: connectionId, organisationId });
  for (;;) {
    const ids = await listItemIdsOfConnection(ledger, { organisationId, connectionId }, REMOVE_AT_ONCE);
    if (ids.length === 0) break;
    const deleteRuns = ids.map((itemId) => ({
      id: s.ids.next("run"),
      organisationId,
      connectionId,
      itemId,
      platform,
      kind: "delete" as const,
      trigger: "user" as const,
      order: null,
      snapshotId: null,
      createdBy: removed.removedBy,
    }));
    const now = s.clock.now();
    const stopped = await deleteItemRows(ledger, organisationId, { ids, deleteRuns, now });
    await s.queue.send(
      deleteRuns.map(
        ({ id }): JobMessage => ({ job: "delete-item", payload: { region, runId: id, epoch: 0 } }),
      ),
    );
    const events = stoppedRunEvents(stopped, now);
    if (events.length > 0) await s.live.publish(organisationId, events);
  }
  await commitTogether(
    ledger,
    ["place", "seen_item"].map((table) =>
      statement(
        ledger,
        `DELETE FROM ${table} WHERE connection_id = ?1 AND organisation_id = ?2`,
        connectionId,
        organisationId,
      ),
    ),
  );
  await forgetRemovedConnection(s.control, connectionId);
}

/** Finishes the removal of replaced connections that a crash interrupted. */
export async function sweepRemovedConnections(s: CoreServices): Promise<void> {
  for (const removed of await listRemovedConnections(s.control, SWEEP_REMOVED)) {
    if (removed.removedAt > s.clock.now() - REMOVED_LEFT_BEHIND_MS) continue;
    await emptyRemovedConnection(s, removed);
  }
}
