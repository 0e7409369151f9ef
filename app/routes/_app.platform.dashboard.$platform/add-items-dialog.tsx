import { Link } from "@remix-run/react";
import { useEffect, useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
import { useRequest } from "#app/api/use-request.ts";
import { Button, buttonClass } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { DialogButtons } from "#app/components/dialog-buttons.tsx";
import type { Failure } from "#app/components/error-dialog.tsx";
import { SearchField } from "#app/components/search-field.tsx";
import { notify } from "#app/components/toasts.ts";
import { addItemsCopy as copy } from "#app/copy/item-dialogs.ts";
import { itemsCopy } from "#app/copy/items.ts";
import { dialogCopy } from "#app/copy/shared.ts";
import { countsUsers } from "#app/money/unlimited.ts";
import { useShell } from "#app/shell/use-shell.ts";
import type { AvailableItemView, ItemListView } from "#core/inventory/views.ts";
import { type Chosen, choose } from "./available-items.ts";
import { AvailableList } from "./available-list.tsx";
import { addItems } from "./calls.ts";
import { LimitNote } from "./limit-note.tsx";
import type { ListFrame } from "./list-frame.ts";
import { PlaceFilter } from "./place-filter.tsx";
import { RefusalNote } from "./refusal-note.tsx";
import { useAvailableItems } from "./use-available-items.ts";

const NOTHING_CHOSEN: Chosen = new Map();

type Adding = Pick<ListFrame, "page" | "query" | "words"> & {
  onClose: () => void;
  onAdded: () => void;
  /** Called when the subscription does not allow it. Shown in its own dialog (spec P-422). */
  onWarning: (failure: Failure) => void;
};

/** Selects items to protect, up to the plan's limit (spec P-282, P-338). */
export function AddItemsDialog({
  isOpen,
  onClose,
  page,
  query,
  words,
  quota,
  onAdded,
  onWarning,
}: Adding & { isOpen: boolean; quota: ItemListView["quota"] }) {
  const [name, setName] = useState("");
  const [shownPlaceId, setShownPlaceId] = useState<string | null>(null);
  const [chosen, setChosen] = useState(NOTHING_CHOSEN);
  const { add, isBusy, refusal, refuse } = useAdding({ page, query, words, onClose, onAdded, onWarning });
  const left = Math.max(0, quota.limit - quota.used);
  const account = { platform: page.platform, connectionId: query.connectionId };
  const available = useAvailableItems(
    {
      ...account,
      kind: query.kind,
      placeId: query.placeId ?? shownPlaceId,
      name,
      quota: left,
    },
    isOpen,
  );
  useEffect(() => {
    if (!isOpen) return;
    setName("");
    setShownPlaceId(null);
    setChosen(NOTHING_CHOSEN);
    refuse(null);
  }, [isOpen, refuse]);

  const isFull = chosen.size >= available.remainingQuota;
  const { itemPerConsent } = words.descriptor.supports;
  const { items, isLoading, error } = available;
  // An account is one item, and it is there already.
  const needsConsent =
    itemPerConsent && !isLoading && error === null && items.every(({ isAdded }) => isAdded);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      size="m"
      isFlush
      title={copy.title(itemPerConsent ? words.one : words.many)}
      description={itemPerConsent ? copy.perConsent(words.one) : copy.description(words.many)}
      footer={
        needsConsent ? (
          <>
            <Button variant="ghost" onClick={onClose}>
              {dialogCopy.close}
            </Button>
            <ConnectAnother platform={page.platform} />
          </>
        ) : (
          <>
            <span className="meta push-end" role="status">
              {countsUsers(page.platform)
                ? copy.selected(chosen.size)
                : copy.left(chosen.size, Math.max(0, available.remainingQuota - chosen.size))}
            </span>
            <DialogButtons
              label={copy.add(chosen.size, words.one, words.many)}
              isBusy={isBusy}
              reason={chosen.size === 0 && available.remainingQuota > 0 ? copy.none(words.many) : null}
              isOff={chosen.size === 0}
              onConfirm={() => void add([...chosen.values()])}
              onClose={onClose}
            />
          </>
        )
      }
    >
      <div className="dialog__plain">
        {refusal && <RefusalNote failure={refusal} installUrl={page.installUrl} />}
        <LimitNote page={page} isFull={isFull} />
        <PlaceFilter
          descriptor={words.descriptor}
          connectionId={query.connectionId}
          kind={query.kind}
          value={shownPlaceId}
          onChoose={setShownPlaceId}
        />
        {!itemPerConsent && (
          <SearchField value={name} label={itemsCopy.search(words.many)} onSearch={setName} className="" />
        )}
        <AvailableList
          available={available}
          words={words}
          name={name}
          installUrl={page.installUrl}
          chosen={chosen}
          isFull={isFull}
          onToggle={(item) => setChosen(choose(chosen, item, available.remainingQuota))}
        />
        {itemPerConsent && <p className="soft">{copy.another(words.one, words.label)}</p>}
      </div>
    </Dialog>
  );
}

/** Leads to the consent of another account. */
function ConnectAnother({ platform }: { platform: string }) {
  return (
    <Link
      className={buttonClass({ variant: "solid" })}
      to={`/app-connector?platform=${platform}&account=new`}
    >
      {copy.connectAnother}
    </Link>
  );
}

/** Adds items. Refusals stay in the dialog; what the subscription does not allow opens its own. */
function useAdding({ page, query, words, onClose, onAdded, onWarning }: Adding) {
  const { isBusy, failure, refuse, send } = useRequest();
  const { isOwner } = useShell().member;
  /* Only the owner can change subscriptions; members only get the message (spec P-285). */
  const wayOn = isOwner ? { subscriptionOf: page.platform } : undefined;
  async function add(items: readonly AvailableItemView[]) {
    await send(async () => {
      const account = { platform: page.platform, connectionId: query.connectionId };
      await addItems(account, query.kind, query.placeId, items).catch((cause: unknown) => {
        if (cause instanceof ApiError && cause.isWarning)
          onWarning({ text: cause.message, isWarning: true, wayOn });
        throw cause;
      });
      notify(copy.started(items.length, words.one, words.many));
      onClose();
    });
    onAdded();
  }
  return { add, isBusy, refusal: failure?.isWarning ? null : failure, refuse };
}
