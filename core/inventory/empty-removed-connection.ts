import {
  deletePlaces,
  emptyJobOf,
  findRemovedConnection,
  forgetRemovedConnection,
} from "#core/connections/index.ts";
import type { JobMessage } from "#core/jobs/index.ts";
import { pauseSchedules } from "#core/schedules/index.ts";
import type { Uses } from "#core/services.ts";
import { forgetSeen } from "./auto-add/seen-items.store.ts";
import { deleteItemRows } from "./change-items.store.ts";
import { listItemIdsOfConnection } from "./items.store.ts";
import { REMOVE_AT_ONCE, REMOVE_BATCHES } from "./limits.ts";
import { stoppedRunEvents } from "./stopped-runs.ts";

/**
 * Deletes everything that a removed connection held: items, versions, exports, schedule and places at once, the bytes
 * in one run per item. It may stop at any point and be repeated. A large connection takes several messages. The record
 * of the connection is deleted last.
 */
export async function emptyRemovedConnection(
  s: Uses<"clock" | "ids" | "control" | "ledger" | "queue" | "live">,
  key: { organisationId: string; connectionId: string },
): Promise<void> {
  const removed = await findRemovedConnection(s.control, key);
  if (!removed) return;
  const { organisationId, connectionId, platform, region } = removed;
  const ledger = s.ledger(region, organisationId);
  await pauseSchedules(ledger, { id: connectionId, organisationId });
  for (let batch = 0; ; batch++) {
    const ids = await listItemIdsOfConnection(ledger, { organisationId, connectionId }, REMOVE_AT_ONCE);
    if (ids.length === 0) break;
    if (batch === REMOVE_BATCHES) {
      await s.queue.send([emptyJobOf(removed)]);
      return;
    }
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
        ({ id }): JobMessage => ({
          job: "delete-item",
          payload: { region, organisationId, runId: id, epoch: 0 },
        }),
      ),
    );
    await s.live.publish(organisationId, [
      { method: "items-changed", platform, connectionId, ids },
      ...stoppedRunEvents(stopped, now),
    ]);
  }
  await forgetSeen(ledger, { organisationId, connectionId });
  await deletePlaces(ledger, { organisationId, connectionId });
  await forgetRemovedConnection(s.control, key);
}
