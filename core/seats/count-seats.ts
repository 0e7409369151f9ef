import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { connectorOf, findConnectionRow, openSession } from "#core/connections/index.ts";
import type { JobMessage } from "#core/jobs/index.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { logger } from "#core/kernel/logger.ts";
import { listMembers } from "#core/organisations/index.ts";
import type { SessionServices, Uses } from "#core/services.ts";
import { claimSeatCounts, postponeSeats, saveSeatProblem, saveSeats } from "./seats.store.ts";

const log = logger("seats");

/** A platform counts its licensed users itself, and its answer may be days old (Jira: seven), so a day is often enough. */
const COUNT_EVERY_MS = DAY_MS;
/** After a failure that passes by itself. */
const COUNT_AGAIN_MS = HOUR_MS;
/** Accounts per tick. */
const AT_ONCE = 200;

/** Every minute: queues a count for each account that is due. A lost message delays it by a day. */
export async function queueSeatCounts(s: Uses<"clock" | "control" | "connectors" | "queue">): Promise<void> {
  const platforms = [...s.connectors].flatMap(([id, { countSeats }]) => (countSeats ? [id] : []));
  if (platforms.length === 0) return;
  const now = s.clock.now();
  const due = await claimSeatCounts(s.control, {
    platforms,
    now,
    nextAt: now + COUNT_EVERY_MS,
    limit: AT_ONCE,
  });
  const messages = due.map(
    ({ id, organisationId }): JobMessage => ({
      job: "count-seats",
      payload: { organisationId, connectionId: id },
    }),
  );
  if (messages.length > 0) await s.queue.send(messages);
}

/**
 * Reads how many people of an account the platform's plan counts. When the platform refuses, the last count stays and
 * screens tell why: money never depends on a number that nobody read. A refusal is no sign of a lost connection, because
 * the right to know the count is another one than the right to back up.
 */
export async function countSeats(
  s: SessionServices & Uses<"live">,
  { organisationId, connectionId }: { organisationId: string; connectionId: string },
): Promise<void> {
  const row = await findConnectionRow(s.control, organisationId, connectionId);
  if (!row?.isConfirmed || row.status !== "active") return;
  // Of a closed account nothing is asked in its name.
  if ((await listMembers(s, organisationId)).length === 0) return;
  const connector = connectorOf(s, row.platform);
  const account = { organisationId, connectionId };
  const now = s.clock.now();
  try {
    const count = await connector.countSeats?.(openSession(s, row));
    if (count === undefined) return;
    await saveSeats(s.control, account, { count, readAt: now });
    if (count !== row.seats || row.seatsProblem !== null) await tell(s, row);
  } catch (cause) {
    if (!(cause instanceof ConnectorError)) throw cause;
    log.info("The seats of {connectionId} could not be counted: {reason}", {
      connectionId,
      reason: cause.message,
    });
    const passes = cause.kind === "rate-limited" || cause.kind === "unavailable";
    if (passes) await postponeSeats(s.control, account, Math.max(cause.retryAt ?? 0, now + COUNT_AGAIN_MS));
    else if (cause.message !== row.seatsProblem) {
      await saveSeatProblem(s.control, account, cause.message);
      await tell(s, row);
    }
  }
}

/** Open screens, and the pages that are kept for them, show the new count. */
async function tell(
  s: Uses<"live">,
  { organisationId, platform }: { organisationId: string; platform: string },
): Promise<void> {
  await s.live.publish(organisationId, [{ method: "subscription-changed", platform }]);
}
