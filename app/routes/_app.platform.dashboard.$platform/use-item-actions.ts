import { ApiError } from "#app/api/call-api.ts";
import { useRequest } from "#app/api/use-request.ts";
import type { Failure } from "#app/components/error-dialog.tsx";
import { notify } from "#app/components/toasts.ts";
import { itemsCopy as copy } from "#app/copy/items.ts";
import type { ItemView } from "#core/inventory/views.ts";
import { loadCalls } from "./lazy-calls.ts";
import type { ListQuery } from "./list-query.ts";
import { maySwitchDaily } from "./may-switch-daily.ts";
import type { ItemListPage } from "./queries.server.ts";
import type { ItemListState } from "./use-item-list.ts";
import type { Words } from "./words.ts";

/** Actions of rows, header and selection bar. Errors open a dialog with the server's message. */
export type ItemActions = {
  backUpAll: () => void;
  isBackingUpAll: boolean;
  retry: (item: ItemView) => void;
  /**
   * Switches at once, and back when the server rejects it. Opens the upgrade dialog if the plan does not include it.
   */
  setDaily: (items: readonly ItemView[], isDaily: boolean) => void;
  /** Returns true when the items were deleted. */
  remove: (items: readonly ItemView[]) => Promise<boolean>;
};

/** The actions of the list, bound to its platform and place. */
export function useItemActions({
  page: { platform, entitlements },
  query: { connectionId, kind, placeId },
  words,
  state,
  openUpgrade,
  openError,
}: {
  page: ItemListPage;
  query: ListQuery;
  words: Words;
  state: ItemListState;
  openUpgrade: () => void;
  openError: (failure: Failure) => void;
}): ItemActions {
  const account = { platform, connectionId };
  const ways: WaysOn = { openUpgrade, openError, setOpensAt: state.setOpensAt };
  const { isBusy: isBackingUpAll, send } = useRequest();

  async function backUpAll() {
    if (!entitlements.hasProFeatures) return openUpgrade();
    async function order() {
      const { backUpAllNow } = await loadCalls();
      const { queued, opensAt } = await backUpAllNow(account, kind, placeId);
      state.setOpensAt(opensAt);
      notify(queued > 0 ? copy.backupsStarted(queued, words.one, words.many) : copy.backupsNone);
      state.refetch();
    }
    await send(() => didSucceed(order, { ...ways, isOfAll: true }));
  }

  async function setDaily(items: readonly ItemView[], isDaily: boolean) {
    if (!maySwitchDaily(entitlements, state.list.quota)) return openUpgrade();
    const ids = new Set(items.map(({ id }) => id));
    async function send() {
      const { setDailyBackup } = await loadCalls();
      await setDailyBackup(account, kind, [...ids], isDaily);
    }
    const isDone = await state.showWhile(
      (item) => (ids.has(item.id) ? { ...item, isDaily } : item),
      () => didSucceed(send, ways),
    );
    if (!isDone) return;
    const [first] = items;
    const what = items.length === 1 && first ? first.name : `${items.length} ${words.many}`;
    notify(isDaily ? copy.dailyOn(what) : copy.dailyOff(what), {
      action: { label: copy.undo, run: () => void setDaily(items, !isDaily) },
    });
  }

  async function retry(item: ItemView) {
    await didSucceed(async () => {
      const { backUpNow } = await loadCalls();
      await backUpNow(account, kind, item.id);
      notify(copy.retried(item.name));
      state.refetch();
    }, ways);
  }

  async function remove(items: readonly ItemView[]): Promise<boolean> {
    const ids = items.map(({ id }) => id);
    const isDone = await didSucceed(async () => {
      const { deleteItems } = await loadCalls();
      await deleteItems(account, kind, placeId, ids);
    }, ways);
    if (isDone) notify(copy.deleted(items.length, words.one, words.many));
    state.refetch();
    return isDone;
  }

  return {
    backUpAll: () => void backUpAll(),
    isBackingUpAll,
    retry: (item) => void retry(item),
    setDaily: (items, isDaily) => void setDaily(items, isDaily),
    remove,
  };
}

/** How errors are shown. */
type WaysOn = {
  openUpgrade: () => void;
  openError: (failure: Failure) => void;
  setOpensAt: (opensAt: number) => void;
  /** The call backs up the whole list, so a used window disables that button. */
  isOfAll?: boolean;
};

/**
 * Runs a call and shows its errors, unless the page has shown them. A missing plan opens the upgrade dialog, a used window shows a toast with its end
 * (spec P-218, P-420), any other error opens its dialog (spec P-415, P-416).
 */
async function didSucceed(work: () => Promise<void>, ways: WaysOn): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    if (cause.isShown) return false;
    if (cause.code === "err.plan.required") ways.openUpgrade();
    else if (cause.code === "err.user.backup.limit") {
      notify(cause.message, { tone: "bad" });
      if (ways.isOfAll && cause.opensAt !== null) ways.setOpensAt(cause.opensAt);
    } else ways.openError({ text: cause.message, isWarning: cause.isWarning, code: cause.code });
    return false;
  }
}
