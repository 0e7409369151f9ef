import { canSelect } from "#app/items/item-state.ts";
import type { ItemView } from "#core/inventory/views.ts";

/** Select all is disabled above this many rows (spec P-449). */
export const SELECT_ALL_LIMIT = 50;

/** True when all rows can be selected at once. The limit keeps "all" small enough to review. */
export function canSelectAll(total: number): boolean {
  return total <= SELECT_ALL_LIMIT;
}

/** Selected items by id. Holds whole views, because the items may be on other pages. */
export type Selection = ReadonlyMap<string, ItemView>;

export const NOTHING_SELECTED: Selection = new Map();

/** Selects or deselects one item. An item in progress cannot be selected. */
export function withItem(selection: Selection, item: ItemView, isSelected: boolean): Selection {
  const next = new Map(selection);
  if (isSelected && canSelect(item)) next.set(item.id, item);
  else next.delete(item.id);
  return next;
}

/** Selects or deselects all of the items. Skips items in progress (spec P-224). */
export function withItems(selection: Selection, items: readonly ItemView[], isSelected: boolean): Selection {
  return items.reduce((chosen, item) => withItem(chosen, item, isSelected), selection);
}

/**
 * The selection after rows changed: with updated views, without items that are now in progress. Returns the same object
 * when nothing changed.
 */
export function refreshed(selection: Selection, items: readonly ItemView[]): Selection {
  if (!items.some((item) => selection.has(item.id) && selection.get(item.id) !== item)) return selection;
  return items.reduce(
    (chosen, item) => (chosen.has(item.id) ? withItem(chosen, item, true) : chosen),
    selection,
  );
}

/** State of the checkbox for all shown rows. */
export function headState(selection: Selection, shown: readonly ItemView[]): boolean | "indeterminate" {
  const choosable = shown.filter(canSelect);
  const chosen = choosable.filter((item) => selection.has(item.id)).length;
  if (chosen === 0) return false;
  return chosen === choosable.length ? true : "indeterminate";
}
