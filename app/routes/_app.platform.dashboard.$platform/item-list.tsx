import { lazy, Suspense } from "react";
import { Button } from "#app/components/button.tsx";
import { ErrorState } from "#app/components/error-state.tsx";
import { Pagination } from "#app/components/pagination.tsx";
import { itemsCopy as copy, selectionCopy } from "#app/copy/items.ts";
import { failureCopy } from "#app/copy/shared.ts";
import { RibbonKey } from "#app/history/retention-ribbon.tsx";
import { useShell } from "#app/shell/use-shell.ts";
import { FilterChips } from "./filter-chips.tsx";
import { ItemTable } from "./item-table.tsx";
import type { ListFrame } from "./list-frame.ts";
import { ITEMS_PER_PAGE, neighbour } from "./list-query.ts";
import { ListToolbar } from "./list-toolbar.tsx";
import { NoRows } from "./no-rows.tsx";
import type { Selection } from "./selection.ts";
import type { ItemListState } from "./use-item-list.ts";

const SelectionBar = lazy(() => import("./selection-bar.tsx"));

/** The toolbar, the rows of one page or why there are none, and what the ribbons mean. */
export function ItemList({
  state,
  selection,
  setSelection,
  ...frame
}: ListFrame & {
  state: ItemListState;
  selection: Selection;
  setSelection: (selection: Selection) => void;
}) {
  const { page, list, query, search, go } = frame;
  const { timeZone } = useShell().member;
  return (
    <>
      <ListToolbar {...frame} />
      <div className="list-slot">
        <FilterChips
          counts={list.counts}
          filter={query.filter}
          search={search}
          onFilter={(filter) => go({ filter })}
        />
        {selection.size > 0 && (
          <Suspense fallback={null}>
            <SelectionBar
              {...frame}
              selection={selection}
              total={list.total}
              isTokenValid={list.isTokenValid}
              setSelection={setSelection}
            />
          </Suspense>
        )}
      </div>
      {state.error ? (
        <ErrorState
          what={`${state.error.message}. ${failureCopy.advice}`}
          requestId={state.error.requestId}
          actions={
            <Button variant="solid" onClick={state.refetch}>
              {failureCopy.refresh}
            </Button>
          }
        />
      ) : list.items.length === 0 && !state.isLoading ? (
        <NoRows {...frame} />
      ) : (
        <ItemTable
          {...frame}
          state={state}
          selection={selection}
          setSelection={setSelection}
          sort={query.sort}
          onSort={(sort) => go({ sort })}
          timeZone={timeZone}
        />
      )}
      {list.total > 0 && (
        <Pagination
          page={query.page}
          perPage={ITEMS_PER_PAGE}
          total={list.total}
          onPage={(next) => go(neighbour(query.page, next, state.isLoading ? null : list.keys))}
        />
      )}
      {selection.size > 0 && (
        <p className="meta" style={{ marginTop: 12 }}>
          {selectionCopy.note}
        </p>
      )}
      {list.items.length > 0 && (
        <div style={{ marginTop: 24 }}>
          <RibbonKey
            days={list.items.flatMap(({ ribbon }) => ribbon)}
            note={
              page.entitlements.retentionDays > 30
                ? copy.timesNote(page.entitlements.retentionDays, timeZone)
                : copy.timesNoteShort(timeZone)
            }
          />
        </div>
      )}
    </>
  );
}
