import { useSearchParams } from "@remix-run/react";
import { useEffect, useMemo, useState } from "react";
import type { ApiError } from "#app/api/call-api.ts";
import { lazyDialog } from "#app/components/dialog.tsx";
import { lazyWhenOpen } from "#app/components/lazy-when-open.tsx";
import { notify } from "#app/components/toasts.ts";
import { itemsCopy as copy } from "#app/copy/items.ts";
import { useNow } from "#app/format/use-now.ts";
import { useShell } from "#app/shell/use-shell.ts";
import type { ItemView } from "#core/inventory/views.ts";
import { accountNames, NAMES_QUERY } from "./account-names.ts";
import { AccountSelect, hasAccountSelect } from "./account-select.tsx";
import { FirstItems } from "./first-items.tsx";
import { ItemList } from "./item-list.tsx";
import { ROWS_ID } from "./item-table.tsx";
import { useKindChoice } from "./kind-choice.ts";
import type { ListFrame } from "./list-frame.ts";
import { ListHeader, PhoneActions } from "./list-header.tsx";
import { changedSearch, type ListQuery, pageWithin, parseListQuery, placeKey } from "./list-query.ts";
import { type OpenDialog, sizeOf } from "./open-dialog.ts";
import type { ItemListPage } from "./queries.server.ts";
import { ReminderBanner } from "./reminder-banner.tsx";
import { NOTHING_SELECTED, refreshed, type Selection } from "./selection.ts";
import { useItemActions } from "./use-item-actions.ts";
import { type ItemListState, useItemList } from "./use-item-list.ts";
import { wordsOf } from "./words.ts";

/** For accounts with a problem. Loaded after the page; its alert is announced then. */
const AccountBanner = lazyWhenOpen(() => import("./account-banner.tsx"));
const UnconfirmedList = lazyWhenOpen(() => import("./unconfirmed-list.tsx"));
const ItemDialogs = lazyDialog(
  () => import("./item-dialogs.tsx"),
  ({ dialog }) => sizeOf(dialog),
);

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
  const [dialog, setDialog] = useOpenDialog(page, state.error);
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

  usePageWithinEnd({ query, state, go });
  useConnectedNotice(words.label);

  const { isConfirmed } = page.connection;
  const hasTrouble = !list.isTokenValid || !isConfirmed;
  const [isInBrowser, setIsInBrowser] = useState(false);
  useEffect(() => setIsInBrowser(true), []);

  const isEmpty = list.counts.all === 0 && query.name === "" && !state.isLoading;
  const isFresh = isEmpty && list.quota.used === 0 && page.canManage && list.isTokenValid;
  const frame: ListFrame = { page, query, search, words, list, now, actions, go, onOpen: setDialog };
  return (
    <>
      {list.items.length > 0 && (
        <a className="skip-link" href={`#${ROWS_ID}`}>
          {copy.skip}
        </a>
      )}
      <AccountBanner
        isOpen={hasTrouble && isInBrowser}
        page={page}
        isLost={!list.isTokenValid}
        refetch={state.refetch}
      />
      <ReminderBanner page={page} now={now} onGuide={() => setDialog({ kind: "consent-guide" })} />
      <ListHeader {...frame} isEmpty={isEmpty} isFresh={isFresh} />
      {(!isConfirmed || isFresh) && hasAccountSelect(page) && (
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
          <ItemList {...frame} state={state} selection={selection} setSelection={setSelection} />
          <PhoneActions {...frame} isEmpty={isEmpty} isFresh={isFresh} />
        </>
      )}
      <ItemDialogs
        {...frame}
        isOpen={dialog !== null}
        dialog={dialog}
        onClose={() => setDialog(null)}
        refetch={state.refetch}
        onDeleted={() => setSelection(NOTHING_SELECTED)}
        timeZone={timeZone}
      />
    </>
  );
}

/** Returns to the last page when the query is beyond the end, e.g. after items were deleted. */
function usePageWithinEnd({
  query,
  state: { list, isLoading },
  go,
}: Pick<ListFrame, "query" | "go"> & { state: ItemListState }): void {
  const lastPage = pageWithin(query.page, list.total);
  const isKeyed = query.after !== null || query.before !== null;
  const isBeyondEnd =
    !isLoading && list.items.length === 0 && (query.page > lastPage || (isKeyed && list.total > 0));
  // biome-ignore lint/correctness/useExhaustiveDependencies: -- only this condition triggers the navigation
  useEffect(() => {
    if (isBeyondEnd) go({ page: Math.min(query.page, lastPage) });
  }, [isBeyondEnd, lastPage]);
}

/** Says that the platform was connected, once, after the provider's redirect. */
function useConnectedNotice(label: string): void {
  const [search, setSearch] = useSearchParams();
  const isJustConnected = search.get("connected") === "true";
  // biome-ignore lint/correctness/useExhaustiveDependencies: -- shown once, after the provider's redirect
  useEffect(() => {
    if (!isJustConnected) return;
    notify(copy.connected(label));
    const next = new URLSearchParams(search);
    next.delete("connected");
    setSearch(next, { replace: true });
  }, [isJustConnected]);
}

/**
 * The open dialog. A connected storage, a failed load, a message in the address and the names of accounts to choose from
 * open theirs; the last two are then taken out of the address (spec P-008 to P-011).
 */
function useOpenDialog({ notice }: ItemListPage, failure: ApiError | null) {
  const [search, setSearch] = useSearchParams();
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const asked = search.get(NAMES_QUERY);
  // biome-ignore lint/correctness/useExhaustiveDependencies: -- opened once, when the address brings something
  useEffect(() => {
    const names = accountNames(search);
    if (names.length > 0) setDialog({ kind: "choose-account", names });
    else if (notice) setDialog({ kind: "error", failure: { text: notice.text, isForeign: !notice.isOurs } });
    if (asked === null && notice === null) return;
    const next = new URLSearchParams(search);
    for (const name of [NAMES_QUERY, "error_message", "error_mark"]) next.delete(name);
    setSearch(next, { replace: true, preventScrollReset: true });
  }, [asked, notice]);
  const isStorageConnected = search.has("isCloudStorageConnected");
  useEffect(() => {
    if (isStorageConnected) setDialog({ kind: "storage" });
  }, [isStorageConnected]);
  useEffect(() => {
    if (failure) setDialog({ kind: "error", failure: { text: failure.message, wayOn: "load" } });
  }, [failure]);
  return [dialog, setDialog] as const;
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
