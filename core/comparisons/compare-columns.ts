import type { BoardColumn, BoardView } from "#connectors/contract/board-view.ts";
import { tally } from "./compare-parts.ts";
import type { EntryDifference } from "./compare-records.ts";
import { ROWS_PER_KIND } from "./limits.ts";
import type { ColumnDifference, Differences } from "./views.ts";

/** Compares the columns of a board. Null = the version does not have the board. */
export async function compareColumns(
  { before, after }: { before: BoardView | null; after: BoardView | null },
  entries: readonly EntryDifference[],
): Promise<Differences<ColumnDifference>> {
  const [old, young] = [(await before?.columns()) ?? [], (await after?.columns()) ?? []];
  const lists = entries.flatMap(({ role, path, change }) =>
    role.role === "column" ? [{ id: role.id, path, change }] : [],
  );
  const rows = lists.slice(0, ROWS_PER_KIND).map((list) => columnRow({ old, young }, list));
  return { ...tally(lists), rows };
}

function columnRow(
  columns: { old: readonly BoardColumn[]; young: readonly BoardColumn[] },
  { id, path, change }: { id: string; path: string; change: ColumnDifference["change"] },
): ColumnDifference {
  const inList = (list: readonly BoardColumn[]) => list.find((column) => column.id === id);
  const [old, young] = [inList(columns.old), inList(columns.young)];
  const what: ColumnDifference["what"] = [];
  if (old && young) {
    if (old.title !== young.title) what.push({ type: "renamed", from: old.title });
    if (!old.isArchived && young.isArchived) what.push({ type: "archived" });
    if (old.isArchived && !young.isArchived) what.push({ type: "returned" });
    if (what.length === 0) what.push({ type: "reordered" });
  }
  return { columnId: id, path, title: (young ?? old)?.title ?? "", change, what };
}
