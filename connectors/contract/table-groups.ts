import type { TableCell } from "./table-view.ts";

/**
 * The rows of a board in its columns: known names first, also without rows, then others as they appear; rows without a
 * name come last. A row with several names is in the column of each.
 */
export function boardColumns<Row>(
  rows: readonly Row[],
  order: readonly string[],
  namesOf: (row: Row) => readonly string[],
): { name: string | null; rows: Row[] }[] {
  const columns = new Map<string | null, Row[]>(order.map((name) => [name, []]));
  const loose: Row[] = [];
  for (const row of rows) {
    const names = new Set(namesOf(row));
    if (names.size === 0) loose.push(row);
    for (const name of names) {
      const held = columns.get(name);
      if (held === undefined) columns.set(name, [row]);
      else held.push(row);
    }
  }
  if (loose.length > 0) columns.set(null, loose);
  return [...columns].map(([name, held]) => ({ name, rows: held }));
}

/** The names of a board's columns in which a row with this cell is; none = it is among those without a value. */
export function groupsOf(cell: TableCell | undefined): string[] {
  switch (cell?.type) {
    case undefined:
    case "files":
      return [];
    case "text":
    case "number":
      return [cell.text];
    case "check":
      return [cell.isOn ? "Yes" : "No"];
    case "date":
      return [new Date(cell.from).toISOString().slice(0, 7)];
    case "tags":
      return cell.tags.map(({ name }) => name);
    case "rows":
      return cell.rows.map(({ title }) => title);
    default:
      return cell satisfies never;
  }
}
