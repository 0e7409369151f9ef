import { ChevronDown, ChevronUp } from "lucide-react";
import { Checkbox } from "#app/components/checkbox.tsx";
import { itemsCopy as copy } from "#app/copy/items.ts";
import type { ItemSort } from "#core/inventory/views.ts";
import { ItemRow } from "./item-row.tsx";
import type { RowFrame } from "./row-frame.ts";
import { headState, type Selection, withItem, withItems } from "./selection.ts";
import type { ItemListState } from "./use-item-list.ts";

/** Where the link that skips what is above the rows leads. */
export const ROWS_ID = "rows";

/** The rows of one page; cards below 600 px. */
export function ItemTable({
  state: { list, isLoading },
  selection,
  setSelection,
  sort,
  onSort,
  ...frame
}: Omit<RowFrame, "isTokenValid"> & {
  state: ItemListState;
  selection: Selection;
  setSelection: (selection: Selection) => void;
  sort: ItemSort;
  onSort: (sort: ItemSort) => void;
}) {
  const columns = copy.columns;
  return (
    <table
      id={ROWS_ID}
      tabIndex={-1}
      className={isLoading ? "data-table item-table is-stale-view" : "data-table item-table"}
      aria-busy={isLoading}
    >
      <thead>
        <tr>
          <th scope="col" className="t-check" style={{ width: 32 }}>
            <Checkbox
              aria-label={columns.select}
              checked={headState(selection, list.items)}
              disabled={!frame.page.canManage}
              onCheckedChange={(checked) => setSelection(withItems(selection, list.items, checked === true))}
            />
          </th>
          <th scope="col" className="t-daily" style={{ width: 96 }}>
            {columns.daily}
          </th>
          <th scope="col" aria-sort={sort === "name" ? "ascending" : "descending"}>
            <button
              type="button"
              className="sort-btn"
              title={sort === "name" ? copy.sortDown : copy.sortUp}
              onClick={() => onSort(sort === "name" ? "-name" : "name")}
            >
              {columns.name} {sort === "name" ? <ChevronDown aria-hidden /> : <ChevronUp aria-hidden />}
            </button>
          </th>
          <th scope="col" style={{ width: 225 }}>
            {columns.last}
          </th>
          <th scope="col" className="t-size" style={{ width: 96, textAlign: "right" }}>
            {columns.size}
          </th>
          <th scope="col" style={{ width: 128 }}>
            {columns.status}
          </th>
          <th scope="col" style={{ width: 108, textAlign: "right" }}>
            {columns.actions}
          </th>
        </tr>
      </thead>
      <tbody>
        {list.items.map((item) => (
          <ItemRow
            key={item.id}
            {...frame}
            item={item}
            isTokenValid={list.isTokenValid}
            isSelected={selection.has(item.id)}
            onSelect={(isSelected) => setSelection(withItem(selection, item, isSelected))}
          />
        ))}
      </tbody>
    </table>
  );
}
