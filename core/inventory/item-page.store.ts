import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { type ItemFacts, itemFactStatements, itemsOf, toItemFacts } from "./item-runs.store.ts";
import { type ItemRow, inOrder, itemPage, type PageQuery } from "./items.store.ts";

/** Reads one page of items with the facts of their rows, in one round trip. */
export async function readItemPage(
  ledger: LedgerDatabase,
  query: PageQuery,
  since: number,
): Promise<{ rows: ItemRow[]; facts: ItemFacts }> {
  const page = itemPage(ledger, query);
  const { organisationId } = query;
  const [rows, ...facts] = await ledger.batch([
    page,
    ...itemFactStatements(ledger, { organisationId, items: itemsOf(page), since }),
  ]);
  return { rows: inOrder(query, rows), facts: toItemFacts(facts) };
}
