import { entitlementsOf } from "#core/billing/index.ts";
import { nextDue, resumeSchedules } from "#core/schedules/index.ts";
import type { Uses } from "#core/services.ts";
import type { ConnectionRow } from "./connection.store.ts";

/**
 * Resumes the schedule of a lost connection. Call it before the connection is marked active: after a crash in between,
 * the next run finds the connection lost and pauses the schedule again. The other order could leave an active
 * connection whose items never become due.
 */
export async function resumeConnection(
  s: Uses<"memory" | "clock" | "control" | "ledger">,
  connection: ConnectionRow,
): Promise<void> {
  if (connection.status === "active") return;
  const { periodMs } = await entitlementsOf(s, connection.organisationId, connection.platform);
  const now = s.clock.now();
  await resumeSchedules(s.ledger(connection.region, connection.organisationId), connection, {
    dueAt: (itemId) => nextDue(itemId, now, periodMs),
    periodMs,
  });
}
