import { entitlementsOf } from "#core/billing/index.ts";
import type { CoreServices } from "#core/services.ts";
import { resumeSchedules } from "../change-items.store.ts";
import type { ConnectionRow } from "../connection.store.ts";
import { nextDue } from "../schedule-time.ts";

/**
 * Lets the schedule of a lost connection go on. It comes before the connection is marked as working: after a crash in
 * between the next run finds the connection lost and rests the schedule again, while the other order could leave a
 * working connection whose items never come due.
 */
export async function resumeConnection(s: CoreServices, connection: ConnectionRow): Promise<void> {
  if (connection.status === "active") return;
  const { periodMs } = await entitlementsOf(s, connection.organisationId, connection.platform);
  const now = s.clock.now();
  await resumeSchedules(s.ledger(connection.region), connection, {
    dueAt: (itemId) => nextDue(itemId, now, periodMs),
    periodMs,
  });
}
