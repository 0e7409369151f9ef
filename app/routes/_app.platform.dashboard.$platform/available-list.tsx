import { LoaderCircle } from "lucide-react";
import { useEffect, useId, useRef } from "react";
import { Checkbox } from "#app/components/checkbox.tsx";
import { addItemsCopy as copy } from "#app/copy/item-dialogs.ts";
import { bytesText } from "#app/format/bytes.ts";
import { ItemTags } from "#app/items/item-name.tsx";
import type { AvailableItemView } from "#core/inventory/views.ts";
import { type Chosen, isNearEnd } from "./available-items.ts";
import { RefusalNote } from "./refusal-note.tsx";
import type { AvailableItems } from "./use-available-items.ts";
import type { Words } from "./words.ts";

/** The scrolled list of the add dialog. Loads more within 150 px of its end. */
export function AvailableList({
  available,
  words,
  name,
  installUrl,
  chosen,
  isFull,
  onToggle,
}: {
  available: AvailableItems;
  words: Words;
  name: string;
  /** Installation page of the platform's app. */
  installUrl: string | null;
  chosen: Chosen;
  isFull: boolean;
  onToggle: (item: AvailableItemView) => void;
}) {
  const { items, isLoading, hasMore, error, loadMore, retry } = available;
  const box = useRef<HTMLDivElement>(null);
  /* If a page is shorter than the box, nothing can be scrolled, so the next page is loaded at once. */
  useEffect(() => {
    if (box.current && items.length > 0 && isNearEnd(box.current)) loadMore();
  });
  return (
    <div className="item-picker">
      <div
        className="item-picker__scroll"
        ref={box}
        onScroll={(event) => isNearEnd(event.currentTarget) && loadMore()}
      >
        <ul aria-busy={isLoading}>
          {items.map((item) => (
            <AvailableRow
              key={item.externalId}
              item={item}
              place={placeNameOf(item, words)}
              isChosen={chosen.has(item.externalId)}
              isFull={isFull}
              onToggle={() => onToggle(item)}
            />
          ))}
        </ul>
        <p className="item-picker__end meta" role="status">
          {isLoading && (
            <span className="row">
              <LoaderCircle className="icon-s spin" aria-hidden />
              {items.length === 0 ? copy.loadingFirst(words.label) : copy.loading}
            </span>
          )}
          {!isLoading &&
            !error &&
            items.length === 0 &&
            (name === "" ? copy.empty(words.many) : copy.noMatch(words.many, name))}
          {!isLoading &&
            !error &&
            items.length > 0 &&
            !hasMore &&
            (items.every(({ isAdded }) => isAdded) ? copy.allAdded(words.many) : copy.end)}
        </p>
        {error && <RefusalNote failure={error} installUrl={installUrl} onRetry={retry} />}
      </div>
    </div>
  );
}

/** The place of an item in a list that mixes places: two groups may contain items of the same name. */
function placeNameOf({ fullName }: AvailableItemView, { descriptor, kind }: Words): string | null {
  if (descriptor.supports.places || kind.isSub) return null;
  const end = fullName.lastIndexOf("/");
  return end < 1 ? null : fullName.slice(0, end);
}

function AvailableRow({
  item,
  place,
  isChosen,
  isFull,
  onToggle,
}: {
  item: AvailableItemView;
  place: string | null;
  isChosen: boolean;
  isFull: boolean;
  onToggle: () => void;
}) {
  /* Not derived from the item: the empty list and the dialog above it show the same items. */
  const id = useId();
  const isOff = item.isAdded || item.blocked !== undefined || (isFull && !isChosen);
  return (
    <li>
      <Checkbox id={id} checked={isChosen || item.isAdded} disabled={isOff} onCheckedChange={onToggle} />
      <label htmlFor={id} className="item-picker__name">
        <span className="item-name__top">
          <span className="clip" title={item.name}>
            {item.name}
          </span>
          <ItemTags tags={item.tags} />
        </span>
        {place && <span className="item-name__desc mono-meta clip">{place}</span>}
        {item.description && <span className="item-name__desc clip">{item.description}</span>}
      </label>
      <span className="mono-meta">
        {item.isAdded
          ? copy.already
          : (item.blocked ?? (item.sizeHintBytes ? bytesText(item.sizeHintBytes) : ""))}
      </span>
    </li>
  );
}
