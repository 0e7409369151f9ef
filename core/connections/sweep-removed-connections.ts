import type { JobMessage } from "#core/jobs/index.ts";
import type { Uses } from "#core/services.ts";
import { REMOVED_LEFT_BEHIND_MS, SWEEP_REMOVED } from "./limits.ts";
import { listRemovedConnections, type RemovedConnection } from "./removed-connection.store.ts";

/** The message that deletes the data of a removed connection. */
export const emptyJobOf = ({
  organisationId,
  connectionId,
}: Pick<RemovedConnection, "organisationId" | "connectionId">): JobMessage => ({
  job: "empty-removed-connection",
  payload: { organisationId, connectionId },
});

/** Queues the deletion of a removed connection's data again if the first message was lost. */
export async function sweepRemovedConnections(s: Uses<"clock" | "control" | "queue">): Promise<void> {
  const removed = await listRemovedConnections(s.control, {
    removedBefore: s.clock.now() - REMOVED_LEFT_BEHIND_MS,
    limit: SWEEP_REMOVED,
  });
  if (removed.length > 0) await s.queue.send(removed.map(emptyJobOf));
}
