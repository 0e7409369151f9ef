import { and, asc, desc, eq, inArray, isNull, ne, sql } from "drizzle-orm";
import { alarm, run, schedule, snapshot } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";

export type RunSummary = Pick<
  typeof run.$inferSelect,
  "id" | "itemId" | "kind" | "status" | "attempts" | "createdAt" | "finishedAt" | "snapshotId"
>;

/**
 * Reads the data for the rows of these items in one round trip: backups and restores since a time, oldest first; the
 * times of existing versions; when each item is due next; and open alarms about versions, newest first. Alarms about
 * silence are left out, because the time of the last version shows it. A running run is never older than the ribbon.
 */
export async function readItemFacts(
  ledger: LedgerDatabase,
  { organisationId, itemIds, since }: { organisationId: string; itemIds: readonly string[]; since: number },
) {
  const ids = JSON.stringify(itemIds);
  const [runs, versions, due, alarms] = await ledger.batch([
    ledger
      .select({
        id: run.id,
        itemId: run.itemId,
        kind: run.kind,
        status: run.status,
        attempts: run.attempts,
        createdAt: run.createdAt,
        finishedAt: run.finishedAt,
        snapshotId: run.snapshotId,
        phase: run.phase,
        done: run.done,
        total: run.total,
        unit: run.unit,
        bytesRead: run.bytesRead,
        startedAt: run.startedAt,
        waitingUntil: run.waitingUntil,
        errorText: run.errorText,
        expectedEndAt: run.expectedEndAt,
      })
      .from(run)
      .where(
        and(
          sql`${run.itemId} IN (SELECT value FROM json_each(${ids}))`,
          inArray(run.kind, ["backup", "restore"]),
          ne(run.status, "superseded"),
          sql`${run.createdAt} >= ${since}`,
        ),
      )
      .orderBy(asc(run.createdAt)),
    ledger
      .select({ itemId: snapshot.itemId, takenAt: snapshot.takenAt })
      .from(snapshot)
      .where(sql`${snapshot.itemId} IN (SELECT value FROM json_each(${ids}))`),
    ledger
      .select({ itemId: schedule.itemId, dueAt: schedule.dueAt })
      .from(schedule)
      .where(sql`${schedule.itemId} IN (SELECT value FROM json_each(${ids}))`),
    ledger
      .select({ itemId: alarm.itemId, message: alarm.message })
      .from(alarm)
      .where(
        and(
          eq(alarm.organisationId, organisationId),
          sql`${alarm.itemId} IN (SELECT value FROM json_each(${ids}))`,
          isNull(alarm.acknowledgedAt),
          ne(alarm.kind, "stale"),
        ),
      )
      .orderBy(desc(alarm.createdAt)),
  ]);
  return { runs, versions, due, alarms };
}
