import type { TableCell } from "./table-view.ts";

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
