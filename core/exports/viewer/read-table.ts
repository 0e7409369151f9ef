import { groupsOf } from "#connectors/contract/table-groups.ts";
import { sortKeys } from "#connectors/contract/table-order.ts";
import type { RowDetail, TableCell, TableLayout, TableView } from "#connectors/contract/table-view.ts";
import type { ViewerPart } from "./data.ts";
import { blocksOf, type FindInZip, filesOf, readNotes, some } from "./shape-part.ts";

/** A table, then each of its rows. `place` is the table's position among pages. */
export async function* readTable(
  table: TableView,
  place: { id: string; group?: string },
  find: FindInZip,
): AsyncGenerator<ViewerPart, void> {
  const { title, icon, text, url, columns, layouts } = await table.facts();
  yield {
    type: "table",
    id: place.id,
    group: place.group,
    title,
    icon: icon ?? undefined,
    url: url ?? undefined,
    blocks: text.trim() === "" ? undefined : [{ type: "text", text }],
    columns,
    layouts,
  };
  for await (const { id, hiddenIn, rank } of table.rows(null)) {
    const row = await table.row(id);
    if (row === null) continue;
    const { notes, isCut } = await readNotes((range) => table.comments(id, range), find);
    yield {
      ...rowPart(row, place.id, find),
      groups: groupsIn(row, layouts),
      rank,
      hiddenIn: some(hiddenIn ?? []),
      keys: keysIn(row, layouts),
      notes: some(notes),
      areNotesCut: isCut ? true : undefined,
    };
  }
}

function rowPart(row: RowDetail, tableId: string, find: FindInZip): ViewerPart {
  const cells = Object.entries(row.cells);
  const days = cells.flatMap(([id, cell]) => (cell.type === "date" ? [[id, cell.from] as const] : []));
  return {
    type: "row",
    id: row.id,
    key: row.key ?? undefined,
    title: row.title,
    group: tableId,
    isArchived: row.isArchived ? true : undefined,
    author: row.author ?? undefined,
    at: row.at ?? undefined,
    editedAt: row.editedAt ?? undefined,
    url: row.url ?? undefined,
    cells: Object.fromEntries(cells.map(([id, cell]) => [id, cellText(cell)])),
    days: days.length === 0 ? undefined : Object.fromEntries(days),
    blocks: blocksOf(row.blocks, find),
    files: filesOf([...filesInCells(row), ...row.files], find),
  };
}

/** The columns of each board in which a row is. */
function groupsIn({ cells }: RowDetail, layouts: readonly TableLayout[]): ViewerPart["groups"] {
  const boards = layouts.flatMap((layout) => (layout.type === "board" ? [layout.group] : []));
  return boards.length === 0 ? undefined : Object.fromEntries(boards.map((id) => [id, groupsOf(cells[id])]));
}

/** What orders a row in each layout that has an order of its own. */
function keysIn(row: RowDetail, layouts: readonly TableLayout[]): ViewerPart["keys"] {
  const sorted = layouts.flatMap(({ id, sorts }) =>
    sorts === undefined ? [] : [[id, sortKeys(row, sorts)] as const],
  );
  return sorted.length === 0 ? undefined : Object.fromEntries(sorted);
}

function filesInCells({ cells }: RowDetail) {
  return Object.values(cells).flatMap((cell) => (cell.type === "files" ? cell.files : []));
}

/** A cell as text. */
export function cellText(cell: TableCell): string {
  switch (cell.type) {
    case "text":
    case "number":
      return cell.text;
    case "check":
      return cell.isOn ? "Yes" : "No";
    case "date":
      return [cell.from, cell.until]
        .filter((at) => at !== null)
        .map((at) => dayText(at, cell.hasTime))
        .join(" to ");
    case "tags":
      return cell.tags.map(({ name, hue }) => name || (hue ?? "")).join(", ");
    case "files":
      return cell.files.map(({ name }) => name).join(", ");
    case "rows":
      return cell.rows.map(({ title }) => title).join(", ");
    default:
      return cell satisfies never;
  }
}

function dayText(at: number, hasTime: boolean): string {
  const iso = isMoment(at) ? new Date(at).toISOString() : "";
  return hasTime ? `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC` : iso.slice(0, 10);
}

const isMoment = (at: number) => Math.abs(at) <= 8.64e15;
