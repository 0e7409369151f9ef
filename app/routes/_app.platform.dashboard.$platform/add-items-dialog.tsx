import { Link } from "@remix-run/react";
import { useEffect, useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
import { Button, buttonClass } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import type { Failure } from "#app/components/error-dialog.tsx";
import { SearchField } from "#app/components/search-field.tsx";
import { notify } from "#app/components/toasts.ts";
import { addItemsCopy as copy } from "#app/copy/item-dialogs.ts";
import { itemsCopy } from "#app/copy/items.ts";
import { dialogCopy, failureCopy } from "#app/copy/shared.ts";
import { rememberCheckout } from "#app/shell/checkout-platform.ts";
import { useShell } from "#app/shell/use-shell.ts";
import type { ItemListView } from "#core/inventory/views.ts";
import { type Chosen, choose, limitText } from "./available-items.ts";
import { AvailableList } from "./available-list.tsx";
import { addItems } from "./calls.ts";
import type { ListQuery } from "./list-query.ts";
import { PlaceFilter } from "./place-filter.tsx";
import type { ItemListPage } from "./queries.server.ts";
import { RefusalNote } from "./refusal-note.tsx";
import { useAvailableItems } from "./use-available-items.ts";
import type { Words } from "./words.ts";

const NOTHING_CHOSEN: Chosen = new Map();

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
}: {
  isOpen: boolean;
  onClose: () => void;
  page: ItemListPage;
  query: ListQuery;
  words: Words;
  quota: ItemListView["quota"];
  onAdded: () => void;
  /** Called when the subscription does not allow it. Shown in its own dialog (spec P-422). */
  onWarning: (failure: Failure) => void;
}) {
  const [name, setName] = useState("");
  const [shownPlaceId, setShownPlaceId] = useState<string | null>(null);
  const [chosen, setChosen] = useState(NOTHING_CHOSEN);
  const [isBusy, setIsBusy] = useState(false);
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  const { isOwner } = useShell().member;
  /* Only the owner can change subscriptions; members only get the message (spec P-285). */
  const wayOn = isOwner ? { subscriptionOf: page.platform } : undefined;
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
    setRefusal(null);
  }, [isOpen]);

  async function add() {
    setIsBusy(true);
    setRefusal(null);
    try {
      await addItems(account, query.kind, query.placeId, [...chosen.values()]);
      notify(copy.started(chosen.size, words.one, words.many));
      onClose();
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      if (cause.isWarning) onWarning({ text: cause.message, isWarning: true, wayOn });
      else setRefusal(cause);
    }
    setIsBusy(false);
    onAdded();
  }

  const isFull = chosen.size >= available.remainingQuota;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      size="m"
      isFlush
      title={copy.title(words.many)}
      description={copy.description(words.many)}
      footer={
        <>
          <span className="meta push-end" role="status">
            {copy.left(chosen.size, Math.max(0, available.remainingQuota - chosen.size))}
          </span>
          <Button variant="ghost" onClick={onClose}>
            {dialogCopy.cancel}
          </Button>
          <Button
            variant="solid"
            isBusy={isBusy}
            reason={chosen.size === 0 && available.remainingQuota > 0 ? copy.none(words.many) : null}
            aria-disabled={chosen.size === 0}
            onClick={() => void add()}
          >
            {copy.add(chosen.size, words.one, words.many)}
          </Button>
        </>
      }
    >
      <div className="dialog__plain">
        {refusal && <RefusalNote failure={refusal} installUrl={page.installUrl} />}
        {isFull && (
          <Callout
            tone="warn"
            action={
              isOwner && (
                <Link
                  className={buttonClass({ size: "s" })}
                  to="/checkout"
                  onClick={() => rememberCheckout(page.platform)}
                >
                  {failureCopy.editSubscription}
                </Link>
              )
            }
          >
            <p>
              <b className="medium">{copy.limitTitle}.</b> {limitText(page.entitlements.plan, isOwner)}
            </p>
          </Callout>
        )}
        <PlaceFilter
          descriptor={words.descriptor}
          connectionId={query.connectionId}
          kind={query.kind}
          value={shownPlaceId}
          onChoose={setShownPlaceId}
        />
        <SearchField value={name} label={itemsCopy.search(words.many)} onSearch={setName} className="" />
        <AvailableList
          available={available}
          words={words}
          name={name}
          installUrl={page.installUrl}
          chosen={chosen}
          isFull={isFull}
          onToggle={(item) => setChosen(choose(chosen, item, available.remainingQuota))}
        />
      </div>
    </Dialog>
  );
}
