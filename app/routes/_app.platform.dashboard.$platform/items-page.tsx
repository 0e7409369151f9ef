import { useSearchParams } from "@remix-run/react";
import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { ErrorState } from "#app/components/error-state.tsx";
import { lazyWhenOpen } from "#app/components/lazy-when-open.tsx";
import { Pagination } from "#app/components/pagination.tsx";
import { notify } from "#app/components/toasts.ts";
import { itemsCopy as copy, selectionCopy } from "#app/copy/items.ts";
import { failureCopy } from "#app/copy/shared.ts";
import { useNow } from "#app/format/use-now.ts";
import { RibbonKey } from "#app/history/retention-ribbon.tsx";
import { useShell } from "#app/shell/use-shell.ts";
import type { ItemView } from "#core/inventory/views.ts";
import { FilterChips } from "./filter-chips.tsx";
import { FirstItems } from "./first-items.tsx";
import type { OpenDialog } from "./item-dialogs.tsx";
import { ItemTable } from "./item-table.tsx";
import { useKindChoice } from "./kind-choice.ts";
import { ListHeader, PhoneActions } from "./list-header.tsx";
import {
  changedSearch,
  ITEMS_PER_PAGE,
  type ListQuery,
  neighbour,
  pageWithin,
  parseListQuery,
  placeKey,
} from "./list-query.ts";
import { AccountSelect, ListToolbar } from "./list-toolbar.tsx";
import { NoRows } from "./no-rows.tsx";
import type { ItemListPage } from "./queries.server.ts";
import { NOTHING_SELECTED, refreshed, type Selection } from "./selection.ts";
import { useItemActions } from "./use-item-actions.ts";
import { useItemList } from "./use-item-list.ts";
import { wordsOf } from "./words.ts";

/** For accounts with a problem. Loaded after the page; its alert is announced then. */
const AccountBanner = lazyWhenOpen(() => import("./account-banner.tsx"));
const UnconfirmedList = lazyWhenOpen(() => import("./unconfirmed-list.tsx"));
const SelectionBar = lazy(() => import("./selection-bar.tsx"));
const ItemDialogs = lazyWhenOpen(() => import("./item-dialogs.tsx"));

/** The protected items of one platform. */
export function ItemsPage({ page }: { page: ItemListPage }) {
  const { timeZone } = useShell().member;
  const [search, setSearch] = useSearchParams();
  const query = parseListQuery(search, {
    connectionId: page.query.connectionId,
    kinds: wordsOf(page.platform, page.query.kind).descriptor.itemKinds,
    placeIds: page.places.map(({ id }) => id),
  });
  const words = wordsOf(page.platform, query.kind);
  const state = useItemList(page, query);
  const { list } = state;
  const now = useNow(page.now, 60_000, list.backupNowOpensAt);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [selection, setSelection] = usePlaceSelection(query, list.items);
  const actions = useItemActions({
    page,
    query,
    words,
    state,
    openUpgrade: () => setDialog({ kind: "upgrade" }),
    openError: (failure) => setDialog({ kind: "error", failure }),
  });
  const choice = useKindChoice(words.descriptor, search, (next) => setSearch(next, { replace: true }));
  const go = (change: Partial<ListQuery>) => {
    if (change.kind !== undefined) choice.keep(change.kind);
    setSearch(changedSearch(search, change), { preventScrollReset: true });
  };

  const lastPage = pageWithin(query.page, list.total);
  const isKeyed = query.after !== null || query.before !== null;
  const isBeyondEnd =
    !state.isLoading && list.items.length === 0 && (query.page > lastPage || (isKeyed && list.total > 0));
  // biome-ignore lint/correctness/useExhaustiveDependencies: -- only this condition triggers the navigation
  useEffect(() => {
    if (isBeyondEnd) go({ page: Math.min(query.page, lastPage) });
  }, [isBeyondEnd, lastPage]);

  const isJustConnected = search.get("connected") === "true";
  // biome-ignore lint/correctness/useExhaustiveDependencies: -- shown once, after the provider's redirect
  useEffect(() => {
    if (!isJustConnected) return;
    notify(copy.connected(words.label));
    const next = new URLSearchParams(search);
    next.delete("connected");
    setSearch(next, { replace: true });
  }, [isJustConnected]);

  const isStorageConnected = search.has("isCloudStorageConnected");
  useEffect(() => {
    if (isStorageConnected) setDialog({ kind: "storage" });
  }, [isStorageConnected]);

  const failure = state.error;
  useEffect(() => {
    if (failure) setDialog({ kind: "error", failure: { text: failure.message, wayOn: "load" } });
  }, [failure]);

  const { isConfirmed } = page.connection;
  const hasTrouble = !list.isTokenValid || !isConfirmed;
  const [isInBrowser, setIsInBrowser] = useState(false);
  useEffect(() => setIsInBrowser(true), []);

  const isEmpty = list.counts.all === 0 && query.name === "" && !state.isLoading;
  const isFresh = isEmpty && list.quota.used === 0 && page.canManage && list.isTokenValid;
  const close = () => setDialog(null);
  return (
    <>
      <AccountBanner
        isOpen={hasTrouble && isInBrowser}
        page={page}
        isLost={!list.isTokenValid}
        refetch={state.refetch}
      />
      <ListHeader
        page={page}
        list={list}
        now={now}
        words={words}
        query={query}
        actions={actions}
        onOpen={setDialog}
        isEmpty={isEmpty}
        isFresh={isFresh}
      />
      {(!isConfirmed || isFresh) && page.accounts.length > 1 && (
        <div className="toolbar">
          <AccountSelect page={page} />
        </div>
      )}
      {!isConfirmed ? (
        <UnconfirmedList isOpen={isInBrowser} name={page.connection.name} />
      ) : isFresh ? (
        <FirstItems
          page={page}
          query={query}
          words={words}
          go={go}
          onOther={() => setDialog({ kind: "add-items" })}
          onAdded={state.refetch}
        />
      ) : (
        <>
          <ListToolbar page={page} query={query} words={words} list={list} go={go} />
          <div className="list-slot">
            <FilterChips counts={list.counts} filter={query.filter} onFilter={(filter) => go({ filter })} />
            {selection.size > 0 && (
              <Suspense fallback={null}>
                <SelectionBar
                  page={page}
                  query={query}
                  selection={selection}
                  total={list.total}
                  setSelection={setSelection}
                  actions={actions}
                  onOpen={setDialog}
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
            <NoRows page={page} query={query} words={words} go={go} />
          ) : (
            <ItemTable
              page={page}
              state={state}
              words={words}
              selection={selection}
              setSelection={setSelection}
              sort={query.sort}
              onSort={(sort) => go({ sort })}
              actions={actions}
              onOpen={setDialog}
              timeZone={timeZone}
              now={now}
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
                hasTwoRuns={page.entitlements.periodMs < 24 * 60 * 60 * 1000}
                note={
                  page.entitlements.retentionDays > 30
                    ? copy.timesNote(page.entitlements.retentionDays, timeZone)
                    : copy.timesNoteShort(timeZone)
                }
              />
            </div>
          )}
          <PhoneActions
            page={page}
            list={list}
            now={now}
            words={words}
            query={query}
            actions={actions}
            onOpen={setDialog}
            isEmpty={isEmpty}
            isFresh={isFresh}
          />
        </>
      )}
      <ItemDialogs
        isOpen={dialog !== null}
        dialog={dialog}
        onClose={close}
        onOpen={setDialog}
        page={page}
        query={query}
        words={words}
        list={list}
        actions={actions}
        refetch={state.refetch}
        onDeleted={() => setSelection(NOTHING_SELECTED)}
        timeZone={timeZone}
        now={now}
      />
    </>
  );
}

/** The selection in the shown place. Changing the place or kind clears it (spec P-075). */
function usePlaceSelection(query: ListQuery, items: readonly ItemView[]) {
  const place = placeKey(query);
  const [held, setHeld] = useState<{ place: string; selection: Selection }>({
    place,
    selection: NOTHING_SELECTED,
  });
  /* Clear it for good, so that Back does not restore it. */
  if (held.place !== place) setHeld({ place, selection: NOTHING_SELECTED });
  const selection = useMemo(
    () => (held.place === place ? refreshed(held.selection, items) : NOTHING_SELECTED),
    [held, place, items],
  );
  return [selection, (next: Selection) => setHeld({ place, selection: next })] as const;
}
