import { QueryForm } from "#app/components/query-form.tsx";
import { itemsCopy as copy } from "#app/copy/items.ts";
import type { ItemFilter, ItemListView } from "#core/inventory/views.ts";
import { changedSearch, FILTERS } from "./list-query.ts";

/** The server counts at most a hundred stale items and alarms. */
const cappedText = (count: number) => (count < 100 ? String(count) : "99+");
const CAPPED: readonly ItemFilter[] = ["stale", "alarm"];

/** Filters that show rows, each with their number, and the one that is on. `search` is the address that they change. */
export function FilterChips({
  counts,
  filter,
  search,
  onFilter,
}: {
  counts: ItemListView["counts"];
  filter: ItemFilter;
  search: URLSearchParams;
  onFilter: (filter: ItemFilter) => void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: -- a fieldset has a layout of its own
    <div className="filter-chips" role="group" aria-label={copy.filter}>
      <QueryForm rest={changedSearch(search, { filter: "all" })}>
        {FILTERS.filter((each) => each === "all" || each === filter || counts[each] > 0).map((each) => (
          <button
            key={each}
            type="submit"
            name="filter"
            value={each}
            aria-pressed={each === filter}
            onClick={() => onFilter(each)}
          >
            {copy.filters[each]} <b>{CAPPED.includes(each) ? cappedText(counts[each]) : counts[each]}</b>
          </button>
        ))}
      </QueryForm>
    </div>
  );
}
