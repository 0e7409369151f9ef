import { and, asc, eq, gt, gte, inArray, lt, ne, or, sql } from "drizzle-orm";
import { item, run, snapshot } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";

/** One backup or restore for a report. Times in epoch ms. */
export type ResultRow = {
  id: string;
  createdAt: number;
  platform: string;
  kind: "backup" | "restore";
  itemId: string;
  /** Null when the item was removed since. */
  itemName: string | null;
  status: "queued" | "running" | "succeeded" | "failed";
  finishedAt: number | null;
  errorText: string | null;
  /** Number of parts that a backup left out, or of lines in a restore's report that name something missing. */
  leftOutCount: number;
};

/** The next page starts after this row. */
export type ResultCursor = { createdAt: number; id: string };

/** Lists a page of an organisation's backups and restores created in a time span, in order of creation. */
export async function listResults(
  ledger: LedgerDatabase,
  query: {
    organisationId: string;
    createdFrom: number;
    createdBefore: number;
    after: ResultCursor | null;
    limit: number;
  },
): Promise<ResultRow[]> {
  const { after } = query;
  const rows = await ledger
    .select({
      id: run.id,
      createdAt: run.createdAt,
      platform: run.platform,
      kind: run.kind,
      itemId: run.itemId,
      itemName: item.name,
      status: run.status,
      finishedAt: run.finishedAt,
      errorText: run.errorText,
      leftOutCount: sql<number>`case when ${run.kind} = 'backup' then coalesce(${snapshot.skippedCount}, 0)
        else coalesce(json_array_length(case when json_valid(${run.report}) then ${run.report} end, '$.missing'), 0) end`,
    })
    .from(run)
    .leftJoin(snapshot, eq(snapshot.runId, run.id))
    .leftJoin(item, eq(item.id, run.itemId))
    .where(
      and(
        eq(run.organisationId, query.organisationId),
        inArray(run.kind, ["backup", "restore"]),
        ne(run.status, "superseded"),
        gte(run.createdAt, after?.createdAt ?? query.createdFrom),
        lt(run.createdAt, query.createdBefore),
        after
          ? or(
              gt(run.createdAt, after.createdAt),
              and(eq(run.createdAt, after.createdAt), gt(run.id, after.id)),
            )
          : undefined,
      ),
    )
    .orderBy(asc(run.createdAt), asc(run.id))
    .limit(query.limit);
  return rows as ResultRow[];
}
