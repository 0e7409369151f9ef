import { canSelect } from "#app/components/item-state.ts";
import type { ItemView } from "#core/inventory/views.ts";

/** Select all is off above this many rows (spec P-449). */
export const SELECT_ALL_LIMIT = 50;

/** True when all rows of a list can be chosen at once: what "all" means must fit one look. */
export function canSelectAll(total: number): boolean {
  return total <= SELECT_ALL_LIMIT;
}

/** Chosen items by id; whole views, because they may stand on other pages than the one shown. */
export type Selection = ReadonlyMap<string, ItemView>;

export const NOTHING_SELECTED: Selection = new Map();

/** Chooses or leaves one item; an item in progress cannot be chosen. */
export function withItem(selection: Selection, item: ItemView, isSelected: boolean): Selection {
  const next = new Map(selection);
  if (isSelected && canSelect(item)) next.set(item.id, item);
  else next.delete(item.id);
  return next;
}

/** Chooses or leaves all of the items at once; those in progress are skipped (spec P-224). */
export function withItems(selection: Selection, items: readonly ItemView[], isSelected: boolean): Selection {
  return items.reduce((chosen, item) => withItem(chosen, item, isSelected), selection);
}

/** The selection after rows changed: fresh views, without what is now in progress. Same object when nothing changed. */
export function refreshed(selection: Selection, items: readonly ItemView[]): Selection {
  if (!items.some((item) => selection.has(item.id) && selection.get(item.id) !== item)) return selection;
  return items.reduce(
    (chosen, item) => (chosen.has(item.id) ? withItem(chosen, item, true) : chosen),
    selection,
  );
}

/** State of the checkbox over the shown rows. */
export function headState(selection: Selection, shown: readonly ItemView[]): boolean | "indeterminate" {
  const choosable = shown.filter(canSelect);
  const chosen = choosable.filter((item) => selection.has(item.id)).length;
  if (chosen === 0) return false;
  return chosen === choosable.length ? true : "indeterminate";
}
