import { useEffect, useId, useState } from "react";
import type { BulkItem } from "#app/bulk/bulk-items.schema.ts";
import { Callout } from "#app/components/callout.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { DialogButtons } from "#app/components/dialog-buttons.tsx";
import { SearchField } from "#app/components/search-field.tsx";
import { bulkCopy as copy } from "#app/copy/bulk-restore.ts";
import { restoreCopy } from "#app/copy/restore.ts";
import { visibleName } from "#app/format/visible-text.ts";
import type { RestoreTargets } from "#app/restore/restore-calls.ts";
import { isSameItem } from "#app/restore/restore-form.ts";
import { type TargetsState, useRestoreTargets } from "#app/restore/use-restore-targets.ts";
import type { ItemKind } from "#connectors/contract/descriptor.ts";

type Target = RestoreTargets["items"][number];
/** What a chosen target changes of the item. */
export type TargetChange = Pick<BulkItem, "name" | "intoName" | "isSame">;

/** Chooses the existing item that one of the restores goes into, with a search (spec P-108). */
export default function TargetDialog({
  isOpen,
  onClose,
  item,
  kind,
  onChoose,
}: {
  isOpen: boolean;
  onClose: () => void;
  /** Stays set while the dialog closes. */
  item: BulkItem | null;
  kind: ItemKind;
  onChoose: (change: TargetChange) => void;
}) {
  const state = useRestoreTargets(isOpen ? (item?.id ?? null) : null);
  const [chosen, setChosen] = useState<Target | null>(null);
  const { setSearch } = state;
  // biome-ignore lint/correctness/useExhaustiveDependencies: -- starts over whenever it opens
  useEffect(() => {
    if (!isOpen) return;
    setChosen(null);
    setSearch("");
  }, [isOpen]);
  const shown = chosen?.externalId ?? item?.name ?? "";
  const isSame = chosen !== null && isSameItem(chosen, item?.idName ?? null);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      size="m"
      isFlush
      title={copy.targetOf(item?.idName ?? "")}
      description={copy.folioExisting(kind.many)}
      footer={
        <DialogButtons
          label={copy.takeTarget}
          reason={chosen === null ? copy.chooseFirst(kind.one) : null}
          onConfirm={() => {
            if (chosen === null) return;
            onChoose({ name: chosen.externalId, intoName: chosen.fullName, isSame });
            onClose();
          }}
          onClose={onClose}
        />
      }
    >
      <div className="dialog__plain">
        <TargetList kind={kind} state={state} chosenId={shown} onChoose={setChosen} />
        {isSame && <Callout tone="warn">{restoreCopy.target.same(kind.one)}</Callout>}
      </div>
    </Dialog>
  );
}

/** The search and the items that match it. */
export function TargetList({
  kind,
  state: { targets, failure, search, setSearch },
  chosenId,
  onChoose,
}: {
  kind: ItemKind;
  state: TargetsState;
  /** The platform's id of the chosen item; empty = none. */
  chosenId: string;
  onChoose: (target: Target) => void;
}) {
  const id = useId();
  const items = targets?.items ?? [];
  const isEmpty = targets !== null && items.length === 0;
  return (
    <>
      <SearchField value={search} label={copy.searchTargets(kind.many)} onSearch={setSearch} className="" />
      {failure !== null && <Callout tone="bad">{failure}</Callout>}
      <div className="item-picker">
        <div className="item-picker__scroll">
          <ul aria-busy={targets === null}>
            {items.map((item, at) => (
              <li key={item.externalId}>
                <input
                  type="radio"
                  id={`${id}-${at}`}
                  name={id}
                  checked={item.externalId === chosenId}
                  onChange={() => onChoose(item)}
                />
                <label htmlFor={`${id}-${at}`} className="item-picker__name">
                  <span className="clip" dir="auto">
                    {visibleName(item.fullName)}
                  </span>
                </label>
                <span className="mono-meta">{item.isSource ? copy.original : ""}</span>
              </li>
            ))}
          </ul>
          <p className="item-picker__end meta" role="status">
            {targets === null && failure === null && restoreCopy.target.loading}
            {isEmpty && copy.noTarget(kind.many)}
            {targets?.hasMore && restoreCopy.target.more}
          </p>
        </div>
      </div>
    </>
  );
}
