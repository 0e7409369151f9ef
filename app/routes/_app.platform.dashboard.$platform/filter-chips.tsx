import { itemsCopy as copy } from "#app/copy/items.ts";
import type { ItemFilter, ItemListView } from "#core/inventory/views.ts";
import { FILTERS } from "./list-query.ts";

/** The server counts at most a hundred stale items. */
const cappedText = (count: number) => (count < 100 ? String(count) : "99+");

/** Filters for the rows, each with its count. */
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
    // biome-ignore lint/a11y/useSemanticElements: -- a group of toggle buttons is not a form
    <div className="filter-chips" role="group" aria-label={copy.filter}>
      {FILTERS.map((each) => (
        <button key={each} type="button" aria-pressed={each === filter} onClick={() => onFilter(each)}>
          {copy.filters[each]} <b>{each === "stale" ? cappedText(counts.stale) : counts[each]}</b>
        </button>
      ))}
    </div>
  );
}
