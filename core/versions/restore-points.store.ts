import { sql } from "drizzle-orm";
import { snapshot } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";

/** A restorable version, as shown in a list of choices. */
export type RestorePoint = {
  itemId: string;
  snapshotId: string;
  takenAt: number;
  sizeBytes: number;
  verifyState: "queued" | "verified" | "intact";
};

/** Lists the newest restorable versions of each of these items, newest first, in one query. */
export async function listRestorePointRows(
  ledger: LedgerDatabase,
  organisationId: string,
  { itemIds, most }: { itemIds: readonly string[]; most: number },
): Promise<RestorePoint[]> {
  return ledger.all<RestorePoint>(sql`
    SELECT item_id AS "itemId", id AS "snapshotId", taken_at AS "takenAt", size_bytes AS "sizeBytes",
      verify_state AS "verifyState"
    FROM (
      SELECT ${snapshot}.*, row_number() OVER (PARTITION BY item_id ORDER BY taken_at DESC, id DESC) AS rank
      FROM ${snapshot}
      WHERE item_id IN (SELECT value FROM json_each(${JSON.stringify(itemIds)}))
        AND organisation_id = ${organisationId} AND verify_state <> 'failed' AND restore_obstacle IS NULL
    )
    WHERE rank <= ${most}
    ORDER BY item_id, taken_at DESC, id DESC`);
}
