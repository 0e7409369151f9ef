import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { run, schedule, snapshot } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";

export type RunSummary = Pick<
  typeof run.$inferSelect,
  "id" | "itemId" | "kind" | "status" | "attempts" | "createdAt" | "finishedAt" | "snapshotId"
>;

/** Backups and restores of these items since a time, oldest first: what the ribbon is drawn from. */
export async function listRunsSince(
  ledger: LedgerDatabase,
  itemIds: readonly string[],
  since: number,
): Promise<RunSummary[]> {
  return ledger
    .select({
      id: run.id,
      itemId: run.itemId,
      kind: run.kind,
      status: run.status,
      attempts: run.attempts,
      createdAt: run.createdAt,
      finishedAt: run.finishedAt,
      snapshotId: run.snapshotId,
    })
    .from(run)
    .where(
      and(
        sql`${run.itemId} IN (SELECT value FROM json_each(${JSON.stringify(itemIds)}))`,
        inArray(run.kind, ["backup", "restore"]),
        sql`${run.createdAt} >= ${since}`,
      ),
    )
    .orderBy(asc(run.createdAt));
}

/** Times of the versions that still exist, per item. */
export async function listVersionTimes(
  ledger: LedgerDatabase,
  itemIds: readonly string[],
): Promise<{ itemId: string; takenAt: number }[]> {
  return ledger
    .select({ itemId: snapshot.itemId, takenAt: snapshot.takenAt })
    .from(snapshot)
    .where(sql`${snapshot.itemId} IN (SELECT value FROM json_each(${JSON.stringify(itemIds)}))`);
}

/** The runs that work on these items or wait for them now. */
export async function listOpenRuns(
  ledger: LedgerDatabase,
  itemIds: readonly string[],
): Promise<(typeof run.$inferSelect)[]> {
  return ledger
    .select()
    .from(run)
    .where(
      and(
        sql`${run.itemId} IN (SELECT value FROM json_each(${JSON.stringify(itemIds)}))`,
        inArray(run.kind, ["backup", "restore"]),
        inArray(run.status, ["queued", "running"]),
      ),
    )
    .orderBy(asc(run.createdAt));
}

/** Mean duration of the items' last good runs by item and kind, in ms. */
export async function listMeanDurations(
  ledger: LedgerDatabase,
  itemIds: readonly string[],
): Promise<{ itemId: string; kind: string; ms: number }[]> {
  return ledger
    .select({
      itemId: run.itemId,
      kind: run.kind,
      ms: sql<number>`avg(${run.finishedAt} - ${run.startedAt})`,
    })
    .from(run)
    .where(
      and(
        sql`${run.itemId} IN (SELECT value FROM json_each(${JSON.stringify(itemIds)}))`,
        eq(run.status, "succeeded"),
      ),
    )
    .groupBy(run.itemId, run.kind);
}

/** When these items are due next. */
export async function listDueTimes(
  ledger: LedgerDatabase,
  itemIds: readonly string[],
): Promise<{ itemId: string; dueAt: number }[]> {
  return ledger
    .select({ itemId: schedule.itemId, dueAt: schedule.dueAt })
    .from(schedule)
    .where(sql`${schedule.itemId} IN (SELECT value FROM json_each(${JSON.stringify(itemIds)}))`);
}
