import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { TypedDialog } from "#app/components/typed-dialog.tsx";
import { deleteCopy as copy } from "#app/copy/item-dialogs.ts";
import { bytesText } from "#app/format/bytes.ts";
import { countText } from "#app/format/counts.ts";
import type { ItemView } from "#core/inventory/views.ts";
import type { ItemActions } from "./use-item-actions.ts";
import type { Words } from "./words.ts";

/** The text to type: the name of a single item, or a sentence for several (spec P-280, P-281). */
export function confirmationOf(items: readonly Pick<ItemView, "name">[]): string {
  const [first] = items;
  return items.length === 1 && first ? first.name : copy.understand;
}

/**
 * Confirms that items and their versions are deleted permanently. Offers to stop only the daily backup instead (spec
 * P-235).
 */
export function DeleteDialog({
  items,
  onClose,
  words,
  canPause,
  actions,
  onDone,
}: {
  /** Empty = closed. */
  items: readonly ItemView[];
  onClose: () => void;
  words: Words;
  canPause: boolean;
  actions: ItemActions;
  onDone: () => void;
}) {
  const [isBusy, setIsBusy] = useState(false);
  const [first] = items;
  const versions = items.reduce((sum, item) => sum + item.versionCount, 0);
  const bytes = items.reduce((sum, item) => sum + item.sizeBytes, 0);

  async function remove() {
    setIsBusy(true);
    const isDone = await actions.remove(items);
    setIsBusy(false);
    if (!isDone) return;
    onDone();
    onClose();
  }
  function pause() {
    actions.setDaily(items, false);
    onDone();
    onClose();
  }

  return (
    <TypedDialog
      isOpen={items.length > 0}
      onClose={onClose}
      title={
        items.length === 1 && first ? copy.titleOne(first.name) : copy.titleMany(items.length, words.many)
      }
      confirm={copy.remove}
      expected={confirmationOf(items)}
      isBusy={isBusy}
      onConfirm={() => void remove()}
    >
      <p>
        {copy.what}{" "}
        <b className="strong">
          {copy.versions(countText(versions, "version", "versions"), bytesText(bytes))}
        </b>
        {copy.rest(words.label)}
      </p>
      {canPause && items.some((item) => item.isDaily) && (
        <p className="row between">
          <span className="soft">{copy.alternative}</span>
          <Button onClick={pause}>{copy.deactivate}</Button>
        </p>
      )}
    </TypedDialog>
  );
}
