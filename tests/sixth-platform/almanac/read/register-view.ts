import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { TableFacts, TableLayout, TableView } from "#connectors/contract/table-view.ts";
import type { Register } from "../payloads.ts";
import { folderOf, readPath, recordPaths } from "../record-paths.ts";
import { findComment, notesOf } from "./notes-of.ts";
import { findRow, readRegister, rowDetail, rowId, rowPath, searchedRow } from "./rows.ts";

/** A register of a version as a table; null when the version has none of that id. */
export async function openRegister(snapshot: SnapshotView, id: string): Promise<TableView | null> {
  const register = await readRegister(snapshot, id);
  if (register === null) return null;
  const { columns } = register;
  const folder = recordPaths.rows(id);
  const rowOfThis = async (row: string) => (row.startsWith(`${id}-`) ? await findRow(snapshot, row) : null);
  return {
    facts: async () => factsOf(register),
    async *rows(after) {
      const mark = after === null ? "" : (rowPath(after) ?? "");
      for await (const { path, kind } of snapshot.list(folder, mark.startsWith(folder) ? mark : ""))
        if (kind === "row") yield await searchedRow(snapshot, { path, columns });
    },
    async row(row) {
      const found = await rowOfThis(row);
      return found === null ? null : await rowDetail(snapshot, { ...found, columns });
    },
    async comments(row, range) {
      const found = await rowOfThis(row);
      if (found === null) return { notes: [], next: null };
      return await notesOf(snapshot, folderOf(found.path), range);
    },
    comment: (path) => findComment(snapshot, path, ({ registerId }) => registerId === id),
    roleOf({ path }) {
      const named = readPath(path);
      if (named?.type === "row" && named.registerId === id) return { role: "part", id: rowId(id, named.id) };
      if ((named?.type === "comment" || named?.type === "file") && named.of.registerId === id)
        return { role: named.type, partId: rowId(id, named.of.id) };
      return null;
    },
  };
}

function factsOf({ id, title, icon, text, columns, layouts }: Register): TableFacts {
  const shown = layouts.map(layoutOf);
  const all = columns.map((column) => column.id);
  const plain: TableLayout = { id: "all", label: "All columns", type: "table", columns: all };
  return {
    path: recordPaths.register(id),
    ...{ title, icon, text, url: null, rowCount: null },
    columns: columns.map((column) => ({ id: column.id, name: column.name, type: column.type })),
    layouts: shown.length === 0 ? [plain] : shown,
  };
}

/** A calendar without a column of days is shown as a table, and a board without a column that divides it. */
function layoutOf({
  id,
  label,
  type,
  columns,
  cover,
  date,
  group,
}: Register["layouts"][number]): TableLayout {
  const own = { id, label, columns };
  if (type === "gallery") return { ...own, type, cover };
  if (type === "calendar") return date === null ? { ...own, type: "table" } : { ...own, type, date };
  if (type === "board")
    return group === null ? { ...own, type: "table" } : { ...own, type, group, order: [] };
  return { ...own, type };
}
