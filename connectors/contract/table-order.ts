import type { SearchedRow, TableCell, TableSort } from "./table-view.ts";

/** What a row is ordered by; null = it has no value there. */
export type SortKey = number | string | null;

/** What a row is ordered by, one key for each of these sorts. */
export function sortKeys(
  { title, cells }: Pick<SearchedRow, "title" | "cells">,
  sorts: readonly TableSort[],
): SortKey[] {
  return sorts.map(({ column, order }) =>
    column === null ? textKey(title) : cellKey(cells[column], order ?? null),
  );
}

/**
 * Compares two rows by their keys, then by their ranks; negative = `one` comes first. Rows without a value come last,
 * whichever the direction.
 */
export function compareRows(
  one: { keys: readonly SortKey[]; rank: number | string | undefined },
  other: typeof one,
  sorts: readonly Pick<TableSort, "isDescending">[],
): number {
  for (const [index, { isDescending }] of sorts.entries()) {
    const [left = null, right = null] = [one.keys[index], other.keys[index]];
    if (left === null || right === null) {
      if (left !== right) return left === null ? 1 : -1;
      continue;
    }
    const order = compareKeys(left, right);
    if (order !== 0) return isDescending ? -order : order;
  }
  return compareKeys(one.rank ?? "", other.rank ?? "");
}

function compareKeys(one: number | string, other: number | string): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return String(one).localeCompare(String(other), "en", { numeric: true });
}

function cellKey(cell: TableCell | undefined, order: readonly string[] | null): SortKey {
  switch (cell?.type) {
    case undefined:
      return null;
    case "number":
      return cell.value;
    case "date":
      return cell.from;
    case "check":
      return Number(cell.isOn);
    case "text":
      return textKey(cell.text);
    case "tags":
      return tagKey(
        cell.tags.map(({ name }) => name),
        order,
      );
    case "files":
      return textKey(cell.files.map(({ name }) => name).join(", "));
    case "rows":
      return textKey(cell.rows.map(({ title }) => title).join(", "));
    default:
      return cell satisfies never;
  }
}

/** The place of the first name in the order of the column; names that it lacks follow by alphabet. */
function tagKey(names: readonly string[], order: readonly string[] | null): SortKey {
  const [first = ""] = names;
  const place = order?.indexOf(first) ?? -1;
  return place < 0 ? textKey(names.join(", ")) : place;
}

function textKey(text: string): SortKey {
  return text.trim() === "" ? null : text;
}
