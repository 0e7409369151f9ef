import type { PageBlock } from "#connectors/contract/page-block.ts";
import type { PagesView } from "#connectors/contract/pages-view.ts";
import { INLINE_ROWS, MOST_INLINE_TABLES, MOST_READ_INLINE } from "./limits.ts";
import { readTableRows } from "./table-rows.ts";
import type { TableRows } from "./views.ts";

const LIMITS = { most: INLINE_ROWS, mostRead: MOST_READ_INLINE, mostSorted: MOST_READ_INLINE };

/**
 * The first rows of the tables that stand in a text, by the tables' ids, each in its first layout. Of a text with very
 * many tables, the first few have their rows.
 */
export async function readInlineTables(
  pages: Pick<PagesView, "table">,
  blocks: readonly PageBlock[],
): Promise<Record<string, TableRows>> {
  const tables: Record<string, TableRows> = {};
  for (const id of [...new Set(inlineIds(blocks))].slice(0, MOST_INLINE_TABLES)) {
    const table = await pages.table(id);
    if (table === null) continue;
    tables[id] = await readTableRows(table, {
      ...{ shown: { layoutId: null }, search: null, after: null, limits: LIMITS },
    });
  }
  return tables;
}

function inlineIds(blocks: readonly PageBlock[]): string[] {
  return blocks.flatMap((block) => {
    switch (block.type) {
      case "table":
        return block.isInline ? [block.id] : [];
      case "inset":
      case "toggle":
        return inlineIds(block.blocks);
      case "columns":
        return block.columns.flatMap(({ blocks: inside }) => inlineIds(inside));
      default:
        return [];
    }
  });
}
