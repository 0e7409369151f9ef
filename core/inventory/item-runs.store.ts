import { and, asc, desc, eq, gte, inArray, isNull, ne, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alarm, run, schedule, snapshot } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";

export type RunSummary = Pick<
  typeof run.$inferSelect,
  "id" | "itemId" | "kind" | "status" | "attempts" | "createdAt" | "finishedAt" | "snapshotId"
>;

/** The ids of some items, as a list in SQL. */
export const theseItems = (ids: readonly string[]): SQL =>
  sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;

/** The ids of the rows that a statement of items selects. The items need not have been read. */
export const itemsOf = (rows: SQLWrapper): SQL => sql`(SELECT selected.id FROM ${rows} selected)`;

/**
 * Reads the data for the rows of these items in one round trip: backups and restores since a time, oldest first; the
 * times of existing versions; when each item is due next; and open alarms about versions, newest first. Alarms about
 * silence are left out, because the time of the last version shows it. A running run is never older than the ribbon.
 */
export async function readItemFacts(ledger: LedgerDatabase, query: FactQuery): Promise<ItemFacts> {
  return toItemFacts(await ledger.batch(itemFactStatements(ledger, query)));
}

type FactQuery = { organisationId: string; items: SQL; since: number };

/** The statements of `readItemFacts`; `toItemFacts` reads their answers. */
export function itemFactStatements(ledger: LedgerDatabase, { organisationId, items, since }: FactQuery) {
  return [
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
        leaseUntil: run.leaseUntil,
      })
      .from(run)
      .where(
        and(
          sql`${run.itemId} IN ${items}`,
          inArray(run.kind, ["backup", "restore"]),
          ne(run.status, "superseded"),
          sql`${run.createdAt} >= ${since}`,
        ),
      )
      .orderBy(asc(run.createdAt)),
    ledger
      .select({ itemId: snapshot.itemId, takenAt: snapshot.takenAt })
      .from(snapshot)
      .where(sql`${snapshot.itemId} IN ${items}`),
    ledger
      .select({ itemId: schedule.itemId, dueAt: schedule.dueAt })
      .from(schedule)
      .where(sql`${schedule.itemId} IN ${items}`),
    ledger
      .select({ itemId: alarm.itemId, message: alarm.message })
      .from(alarm)
      .where(
        and(
          eq(alarm.organisationId, organisationId),
          sql`${alarm.itemId} IN ${items}`,
          isNull(alarm.acknowledgedAt),
          ne(alarm.kind, "stale"),
        ),
      )
      .orderBy(desc(alarm.createdAt)),
    // Backups whose run was folded into the version.
    ledger
      .select({
        id: snapshot.runId,
        itemId: snapshot.itemId,
        attempts: snapshot.runAttempts,
        bytesRead: snapshot.runBytesRead,
        createdAt: snapshot.runCreatedAt,
        startedAt: snapshot.runStartedAt,
        finishedAt: snapshot.runFinishedAt,
        snapshotId: snapshot.id,
      })
      .from(snapshot)
      .where(
        and(
          sql`${snapshot.itemId} IN ${items}`,
          // A run is created before its version is taken. This is what the index has.
          gte(snapshot.takenAt, since),
          gte(snapshot.runCreatedAt, since),
        ),
      )
      .orderBy(asc(snapshot.runCreatedAt)),
  ] as const;
}

type AnswersTo<Statements extends readonly unknown[]> = {
  readonly [At in keyof Statements]: Awaited<Statements[At]>;
};

/** What is true of every run that was folded into its version. */
const FOLDED = {
  kind: "backup",
  status: "succeeded",
  phase: null,
  done: 0,
  total: null,
  unit: null,
  waitingUntil: null,
  errorText: null,
  expectedEndAt: null,
  leaseUntil: null,
} as const;

/** Names the answers of `itemFactStatements`. */
export function toItemFacts([rows, versions, due, alarms, folded]: AnswersTo<
  ReturnType<typeof itemFactStatements>
>) {
  const earlier = folded.map((row) => ({
    ...FOLDED,
    ...row,
    attempts: row.attempts ?? 1,
    bytesRead: row.bytesRead ?? 0,
    createdAt: row.createdAt ?? 0,
  }));
  return { runs: [...earlier, ...rows].sort((a, b) => a.createdAt - b.createdAt), versions, due, alarms };
}

/** What `readItemFacts` tells. */
export type ItemFacts = ReturnType<typeof toItemFacts>;
