import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { LoaderCircle } from "lucide-react";
import { useEffect, useId, useState } from "react";
import type { CalledAccount } from "#app/api/call-platform.ts";
import { whenWanted } from "#app/api/use-lasting-query.ts";
import type { BulkItem } from "#app/bulk/bulk-items.schema.ts";
import { CHOSEN_AT_A_TIME, MOST_ITEMS } from "#app/bulk/bulk-rules.ts";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { Checkbox } from "#app/components/checkbox.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { DialogButtons } from "#app/components/dialog-buttons.tsx";
import { SearchField } from "#app/components/search-field.tsx";
import { bulkCopy } from "#app/copy/bulk-restore.ts";
import { ItemTags } from "#app/items/item-name.tsx";
import { canSelect } from "#app/items/item-state.ts";
import type { ItemKind } from "#connectors/contract/descriptor.ts";
import type { ItemView } from "#core/inventory/views.ts";
import { pickableQuery } from "./bulk-queries.ts";
import type { PickPage } from "./calls.ts";

const copy = bulkCopy.picker;

/** Adds up to ten more items at a time, until the list has fifty (spec P-116, P-289, P-290). */
export default function AddDialog({
  isOpen,
  onClose,
  account: { platform, connectionId },
  kind,
  placeId,
  listed,
  most = MOST_ITEMS,
  onAdd,
}: {
  isOpen: boolean;
  onClose: () => void;
  account: CalledAccount;
  kind: ItemKind;
  placeId: string | null;
  listed: readonly BulkItem[];
  /** Maximum number of items in the restore. */
  most?: number | undefined;
  onAdd: (items: readonly ItemView[]) => void;
}) {
  const [name, setName] = useState("");
  const wanted = { kind: kind.id, placeId, name };
  const { shown, failure, more } = usePickable(isOpen, { platform, connectionId }, wanted);
  const [chosen, setChosen] = useState<ReadonlyMap<string, ItemView>>(new Map());
  const room = Math.min(CHOSEN_AT_A_TIME, most - listed.length);

  useEffect(() => {
    if (!isOpen) return;
    setChosen(new Map());
    setName("");
  }, [isOpen]);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      size="m"
      isFlush
      title={copy.title(kind.many)}
      description={copy.description}
      footer={
        <>
          <span className="meta push-end" role="status">
            {chosen.size >= room ? bulkCopy.tooMany : copy.chosen(chosen.size, room - chosen.size)}
          </span>
          <DialogButtons
            label={copy.add(chosen.size)}
            reason={chosen.size === 0 ? copy.first : null}
            onConfirm={() => {
              onAdd([...chosen.values()]);
              onClose();
            }}
            onClose={onClose}
          />
        </>
      }
    >
      <div className="dialog__plain">
        <SearchField value={name} label={copy.search(kind.many)} onSearch={setName} className="" />
        {failure !== null && <Callout tone="bad">{failure}</Callout>}
        <PickList
          shown={shown}
          isFailed={failure !== null}
          kind={kind}
          listed={listed}
          chosen={chosen}
          room={room}
          onToggle={(item) => setChosen(toggled(chosen, item))}
          onMore={more}
        />
      </div>
    </Dialog>
  );
}

/** The items that match the search, as far as their pages are loaded; null while the first page loads. */
function usePickable(isOpen: boolean, account: CalledAccount, wanted: Parameters<typeof pickableQuery>[1]) {
  const { data, error, fetchNextPage } = useInfiniteQuery({
    ...whenWanted(isOpen, pickableQuery(account, wanted)),
    placeholderData: keepPreviousData,
  });
  const shown = data && {
    items: data.pages.flatMap(({ items }) => items),
    total: data.pages.at(-1)?.total ?? 0,
  };
  return { shown: shown ?? null, failure: error?.message ?? null, more: () => void fetchNextPage() };
}

function PickList({
  shown,
  isFailed,
  kind,
  listed,
  chosen,
  room,
  onToggle,
  onMore,
}: {
  shown: PickPage | null;
  isFailed: boolean;
  kind: ItemKind;
  listed: readonly BulkItem[];
  chosen: ReadonlyMap<string, ItemView>;
  /** How many items may be chosen. */
  room: number;
  onToggle: (item: ItemView) => void;
  onMore: () => void;
}) {
  const ids = new Set(listed.map(({ id }) => id));
  return (
    <div className="item-picker">
      <div className="item-picker__scroll">
        <ul aria-busy={shown === null}>
          {shown?.items.map((item) => (
            <PickRow
              key={item.id}
              item={item}
              isListed={ids.has(item.id)}
              isChosen={chosen.has(item.id)}
              isFull={chosen.size >= room}
              onToggle={() => onToggle(item)}
            />
          ))}
        </ul>
        {shown === null && !isFailed && (
          <p className="item-picker__end meta row" role="status">
            <LoaderCircle className="icon-s spin" aria-hidden />
            {copy.loading}
          </p>
        )}
        {shown?.items.length === 0 && (
          <p className="item-picker__end meta" role="status">
            {copy.empty(kind.many)}
          </p>
        )}
        {shown && shown.items.length < shown.total && (
          <p className="item-picker__end">
            <Button size="s" onClick={onMore}>
              {copy.more}
            </Button>
          </p>
        )}
      </div>
    </div>
  );
}

function PickRow({
  item,
  isListed,
  isChosen,
  isFull,
  onToggle,
}: {
  item: ItemView;
  isListed: boolean;
  isChosen: boolean;
  isFull: boolean;
  onToggle: () => void;
}) {
  const id = useId();
  const never = item.lastBackupAt === null;
  const note = isListed ? copy.listed : never ? copy.never : canSelect(item) ? "" : copy.busy;
  return (
    <li>
      <Checkbox
        id={id}
        checked={isChosen || isListed}
        disabled={note !== "" || (isFull && !isChosen)}
        onCheckedChange={onToggle}
      />
      <label htmlFor={id} className="item-picker__name">
        <span className="item-name__top">
          <span className="clip">{item.name}</span>
          <ItemTags tags={item.tags} />
        </span>
      </label>
      <span className="mono-meta">{note}</span>
    </li>
  );
}

function toggled(chosen: ReadonlyMap<string, ItemView>, item: ItemView): ReadonlyMap<string, ItemView> {
  const next = new Map(chosen);
  if (!next.delete(item.id)) next.set(item.id, item);
  return next;
}
