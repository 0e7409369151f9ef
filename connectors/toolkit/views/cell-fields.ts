import type { Field } from "#connectors/contract/field.ts";
import type { TableCell, TableColumn } from "#connectors/contract/table-view.ts";
import { listField, wordField } from "./values.ts";

/** The cells of a row in words, for a row that is opened as a page. */
export function cellFields(
  columns: readonly Pick<TableColumn, "id" | "name">[],
  cells: Readonly<Record<string, TableCell>>,
): Field[] {
  return columns.flatMap(({ id, name }) => {
    const cell = cells[id];
    return cell === undefined ? [] : fieldOf(name, cell);
  });
}

function fieldOf(name: string, cell: TableCell): Field[] {
  switch (cell.type) {
    case "text":
    case "number":
      return wordField(name, cell.text);
    case "date": {
      const days = [cell.from, cell.until].flatMap((at) => (at === null ? [] : [dayText(at, cell.hasTime)]));
      return wordField(name, days.join(" to "));
    }
    case "check":
      return wordField(name, cell.isOn ? "Yes" : "No");
    case "tags":
      return listField(
        name,
        cell.tags.map((tag) => tag.name),
      );
    case "files":
      return listField(
        name,
        cell.files.map((file) => file.name),
      );
    case "rows":
      return listField(
        name,
        cell.rows.map((row) => row.title),
      );
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
