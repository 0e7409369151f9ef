import { eq } from "drizzle-orm";
import { itemCount } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";

export type ItemCountRow = typeof itemCount.$inferSelect;

/** Lists the organisation's counters: one row for each kind and place that ever held an item. */
export async function listItemCountRows(
  ledger: LedgerDatabase,
  organisationId: string,
): Promise<ItemCountRow[]> {
  return ledger.select().from(itemCount).where(eq(itemCount.organisationId, organisationId));
}
