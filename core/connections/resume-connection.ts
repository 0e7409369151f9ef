import { entitlementsOf } from "#core/billing/index.ts";
import { nextDue, resumeSchedules } from "#core/schedules/index.ts";
import type { Uses } from "#core/services.ts";
import { type LostConnection, reviveConnection } from "./credential.store.ts";

/**
 * Resumes the schedule of a lost connection. Call it before the connection is marked active: after a crash in between,
 * the next run finds the connection lost and pauses the schedule again. The other order could leave an active
 * connection whose items never become due.
 */
export async function resumeConnection(
  s: Uses<"memory" | "clock" | "control" | "ledger">,
  connection: LostConnection,
): Promise<void> {
  if (connection.status === "active") return;
  const { periodMs } = await entitlementsOf(s, connection.organisationId, connection.platform);
  const now = s.clock.now();
  await resumeSchedules(s.ledger(connection.region, connection.organisationId), connection, {
    dueAt: (itemId) => nextDue(itemId, now, periodMs),
    periodMs,
  });
}

/**
 * Marks a lost connection as working again, because its tokens were renewed after all: a slow renewal that another one
 * overtook is stored after the loss was noted. Whoever notes the loss may pause the schedule at any moment, also just
 * before the mark, so the schedule is resumed on both sides of it.
 */
export async function endLoss(
  s: Uses<"memory" | "clock" | "control" | "ledger">,
  connection: LostConnection,
): Promise<void> {
  await resumeConnection(s, connection);
  await reviveConnection(s.control, connection);
  await resumeConnection(s, connection);
}
