import { itemsCopy as copy } from "#app/copy/items.ts";
import type { ItemFilter, ItemListView } from "#core/inventory/views.ts";
import { FILTERS } from "./list-query.ts";

/** The server counts stale items up to a hundred. */
const cappedText = (count: number) => (count < 100 ? String(count) : "99+");

/** Which rows to show, each with its count. */
export function FilterChips({
  counts,
  filter,
  onFilter,
}: {
  counts: ItemListView["counts"];
  filter: ItemFilter;
  onFilter: (filter: ItemFilter) => void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: -- a group of toggle buttons is no form
    <div className="filter-chips" role="group" aria-label={copy.filter}>
      {FILTERS.map((each) => (
        <button key={each} type="button" aria-pressed={each === filter} onClick={() => onFilter(each)}>
          {copy.filters[each]} <b>{each === "stale" ? cappedText(counts.stale) : counts[each]}</b>
        </button>
      ))}
    </div>
  );
}
