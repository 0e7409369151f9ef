import type { Field } from "#connectors/contract/field.ts";
import type { TableCell, TableColumn } from "#connectors/contract/table-view.ts";
import { wordField } from "./values.ts";

/** The cells of a row in words, for a row that is opened as a page. */
export function cellFields(
  columns: readonly Pick<TableColumn, "id" | "name">[],
  cells: Readonly<Record<string, TableCell>>,
): Field[] {
  return columns.flatMap(({ id, name }) => {
    const cell = cells[id];
    return cell === undefined ? [] : wordField(name, cellText(cell));
  });
}

/** A cell in words. Days and times are in UTC. */
export function cellText(cell: TableCell): string {
  switch (cell.type) {
    case "text":
    case "number":
      return cell.text;
    case "check":
      return cell.isOn ? "Yes" : "No";
    case "date": {
      const days = [cell.from, cell.until].flatMap((at) => (at === null ? [] : [dayText(at, cell.hasTime)]));
      return days.join(" to ");
    }
    case "tags":
      return cell.tags.map(({ name }) => name).join(", ");
    case "files":
      return cell.files.map(({ name }) => name).join(", ");
    case "rows":
      return cell.rows.map(({ title }) => title).join(", ");
    default:
      return cell satisfies never;
  }
}

function dayText(at: number, hasTime: boolean): string {
  return new Date(at)
    .toISOString()
    .slice(0, hasTime ? 16 : 10)
    .replace("T", " ");
}
