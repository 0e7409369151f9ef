import type { Cell, Column, Register, Row } from "../payloads.ts";
import type { RestoreIo } from "./restore-io.ts";

/**
 * The cells of a restored row by the columns of the register that it goes into. A value in a column of another type is
 * written as text where that is a column of text, and left out elsewhere. Links between rows are left out.
 */
export function newCells(
  { matches, targets }: Pick<RestoreIo, "matches" | "targets">,
  { register, into }: { register: Register; into: string },
  { cells, files }: { cells: Row["cells"]; files: ReadonlyMap<string, string> },
): Row["cells"] {
  const match = matches.get(register.id);
  const columns = match === undefined ? register.columns : (targets.get(into)?.columns ?? []);
  const made: Row["cells"] = {};
  for (const { id } of register.columns) {
    const cell = Object.hasOwn(cells, id) ? cells[id] : undefined;
    const to = match === undefined ? id : match.columns.get(id);
    const column = columns.find((each) => each.id === to);
    const value = cell && column && cellFor(cell, column, files);
    if (value && column) made[column.id] = value;
  }
  return made;
}

function cellFor(cell: Cell, { type }: Column, files: ReadonlyMap<string, string>): Cell | null {
  if (cell.type === "rows") return null;
  if (cell.type === "files") {
    const fileIds = cell.fileIds.flatMap((id) => files.get(id) ?? []);
    return type === "files" ? { type, fileIds } : null;
  }
  if (cell.type === type) return cell;
  return type === "text" ? { type, text: textOf(cell) } : null;
}

function textOf(cell: Exclude<Cell, { type: "rows" | "files" }>): string {
  switch (cell.type) {
    case "text":
      return cell.text;
    case "number":
      return String(cell.value);
    case "date":
      return cell.until === null ? cell.from : `${cell.from} to ${cell.until}`;
    case "check":
      return cell.isOn ? "Yes" : "No";
    case "tags":
      return cell.tags.map(({ name }) => name).join(", ");
    default:
      return cell satisfies never;
  }
}
