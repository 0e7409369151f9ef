import { useEffect, useState } from "react";
import { useRequest } from "#app/api/use-request.ts";
import { Button } from "#app/components/button.tsx";
import { notify } from "#app/components/toasts.ts";
import { addItemsCopy, firstChoiceCopy as copy } from "#app/copy/item-dialogs.ts";
import { type Chosen, choose } from "./available-items.ts";
import { AvailableList } from "./available-list.tsx";
import { loadCalls } from "./lazy-calls.ts";
import type { ListQuery } from "./list-query.ts";
import { PlaceSelect } from "./list-toolbar.tsx";
import { PlaceFilter } from "./place-filter.tsx";
import { placeOptions } from "./place-options.ts";
import type { ItemListPage } from "./queries.server.ts";
import { RefusalNote } from "./refusal-note.tsx";
import { useAvailableItems } from "./use-available-items.ts";
import type { Words } from "./words.ts";

/** Props of a platform's first page. */
export type FirstItemsProps = {
  page: ItemListPage;
  query: ListQuery;
  words: Words;
  go: (change: Partial<ListQuery>) => void;
  onOther: () => void;
  onAdded: () => void;
};

/**
 * The first items, preselected up to the plan's limit. Only the browser fetches the available items, so this renders
 * after the page.
 */
export default function FirstChoice({
  page,
  query,
  words,
  go,
  onOther,
  onAdded,
}: FirstItemsProps & { isOpen: boolean }) {
  const quota = page.entitlements.itemLimit;
  const [shownPlaceId, setShownPlaceId] = useState<string | null>(null);
  const placeId = query.placeId ?? shownPlaceId;
  const account = { platform: page.platform, connectionId: query.connectionId };
  const available = useAvailableItems({ ...account, kind: query.kind, placeId, name: "", quota }, true);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const { isBusy, failure, send } = useRequest();
  const { items, pages } = available;
  useEffect(() => {
    if (pages !== 1) return;
    setChosen(
      items.reduce<Chosen>((picked, item) => choose(picked, item, available.remainingQuota), new Map()),
    );
  }, [pages, items, available.remainingQuota]);
  const picked: Chosen = chosen ?? new Map();
  const { places, connection, list } = page;
  const options = placeOptions(words.descriptor, places, connection.name, list.holdings);

  const start = () =>
    send(async () => {
      const { addItems } = await loadCalls();
      await addItems(account, query.kind, query.placeId, [...picked.values()]);
      notify(addItemsCopy.started(picked.size, words.one, words.many));
      onAdded();
    });

  return (
    <div className="stack empty-state__choice">
      {failure && <RefusalNote failure={failure} installUrl={page.installUrl} />}
      <div className="row between wraps">
        {picked.size > 0 ? <h3>{copy.preselected(picked.size, words.one, words.many)}</h3> : <span />}
        {/* Even with one place there may be a second kind, and some users only want that. */}
        {options.length > 1 && (
          <PlaceSelect page={page} query={query} words={words} options={options} go={go} />
        )}
      </div>
      <PlaceFilter
        descriptor={words.descriptor}
        connectionId={query.connectionId}
        kind={query.kind}
        value={shownPlaceId}
        onChoose={setShownPlaceId}
      />
      <AvailableList
        available={available}
        words={words}
        name=""
        installUrl={page.installUrl}
        chosen={picked}
        isFull={picked.size >= available.remainingQuota}
        onToggle={(item) => setChosen(choose(picked, item, available.remainingQuota))}
      />
      <div className="row between wraps">
        <button type="button" className="link" onClick={onOther}>
          {copy.others}
        </button>
        <Button
          variant="solid"
          isBusy={isBusy}
          reason={picked.size === 0 && !available.isLoading ? addItemsCopy.none(words.many) : null}
          aria-disabled={picked.size === 0}
          onClick={() => void start()}
        >
          {copy.start(picked.size)}
        </Button>
      </div>
    </div>
  );
}
