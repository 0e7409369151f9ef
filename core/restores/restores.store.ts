import { and, eq } from "drizzle-orm";
import { run } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";

export type RestoreKey = { organisationId: string; itemId: string; runId: string };

/** Finds a restore of an item that did not fail. Any other run of any organisation counts as missing. */
export async function findRestoreRow(ledger: LedgerDatabase, key: RestoreKey) {
  const rows = await ledger
    .select({
      id: run.id,
      order: run.order,
      report: run.report,
      createdBy: run.createdBy,
      startedAt: run.startedAt,
      finishedAt: run.finishedAt,
    })
    .from(run)
    .where(
      and(
        eq(run.id, key.runId),
        eq(run.organisationId, key.organisationId),
        eq(run.itemId, key.itemId),
        eq(run.kind, "restore"),
        eq(run.status, "succeeded"),
      ),
    )
    .limit(1);
  return rows[0] ?? null;
}
