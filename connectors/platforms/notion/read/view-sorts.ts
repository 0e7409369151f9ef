import type { TableSort } from "#connectors/contract/table-view.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { propertyKey } from "../property-key.ts";
import { optionsOf, type SourceColumn } from "./columns.ts";
import { listOf, textOf } from "./members.ts";
import { findProperty } from "./source-properties.ts";

/**
 * The sorts of a view (`ViewSortResponse`: by a property or a time). `isWhole` is false when one of them cannot be
 * applied: then those before it are.
 */
export function viewSorts(
  view: Json,
  columns: readonly SourceColumn[],
  source: Json,
): { sorts: TableSort[]; isWhole: boolean } {
  const sorts: TableSort[] = [];
  for (const stored of listOf(view, "sorts")) {
    const property = findProperty(source, textOf(stored, "property"), textOf(stored, "timestamp"));
    const isDescending = textOf(stored, "direction") === "descending";
    if (property !== null && textOf(property, "type") === "title") {
      sorts.push({ column: null, isDescending });
      continue;
    }
    const key = propertyKey(textOf(property, "id"));
    const column = property === null ? undefined : columns.find((each) => each.key === key);
    if (column === undefined) return { sorts, isWhole: false };
    const order = optionsOf(column.schema);
    sorts.push({ column: column.id, isDescending, ...(order.length > 0 && { order }) });
  }
  return { sorts, isWhole: true };
}
