import { useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
import { notify } from "#app/components/toasts.ts";
import { itemsCopy as copy, deleteCopy } from "#app/copy/items.ts";
import type { ItemView } from "#core/inventory/views.ts";
import { loadCalls } from "./lazy-calls.ts";
import type { ListQuery } from "./list-query.ts";
import type { ItemListPage } from "./queries.server.ts";
import type { ItemListState } from "./use-item-list.ts";
import type { Words } from "./words.ts";

/** What a row, the header and the selection bar can do. Failures are told in a toast with the server's sentence. */
export type ItemActions = {
  backUpAll: () => void;
  isBackingUpAll: boolean;
  retry: (item: ItemView) => void;
  /** Switches at once and takes it back when the server refuses; opens the upgrade dialog where the plan lacks it. */
  setDaily: (items: readonly ItemView[], isDaily: boolean) => void;
  /** True once the items are deleted. */
  remove: (items: readonly ItemView[]) => Promise<boolean>;
};

/** The actions of the list, bound to its platform and place. */
export function useItemActions({
  page: { platform, entitlements },
  query: { kind, placeId },
  words,
  state,
  openUpgrade,
}: {
  page: ItemListPage;
  query: ListQuery;
  words: Words;
  state: ItemListState;
  openUpgrade: () => void;
}): ItemActions {
  const [isBackingUpAll, setIsBackingUpAll] = useState(false);

  async function backUpAll() {
    if (!entitlements.hasProFeatures) return openUpgrade();
    setIsBackingUpAll(true);
    await told(
      async () => {
        const { backUpAllNow } = await loadCalls();
        const { queued, opensAt } = await backUpAllNow(platform, kind, placeId);
        state.setOpensAt(opensAt);
        notify(queued > 0 ? copy.backupsStarted(queued, words.one, words.many) : copy.backupsNone);
        state.refetch();
      },
      openUpgrade,
      state.setOpensAt,
    );
    setIsBackingUpAll(false);
  }

  async function setDaily(items: readonly ItemView[], isDaily: boolean) {
    if (!entitlements.hasProFeatures) return openUpgrade();
    const ids = new Set(items.map(({ id }) => id));
    const change = (on: boolean) =>
      state.patch((item) => (ids.has(item.id) ? { ...item, isDaily: on } : item));
    change(isDaily);
    const isDone = await told(async () => {
      const { setDailyBackup } = await loadCalls();
      await setDailyBackup(platform, kind, [...ids], isDaily);
    }, openUpgrade);
    if (!isDone) return state.refetch();
    const [first] = items;
    const what = items.length === 1 && first ? first.name : `${items.length} ${words.many}`;
    notify(isDaily ? copy.dailyOn(what) : copy.dailyOff(what), {
      action: { label: copy.undo, run: () => void setDaily(items, !isDaily) },
    });
    state.refetch();
  }

  async function retry(item: ItemView) {
    await told(async () => {
      const { backUpNow } = await loadCalls();
      await backUpNow(platform, kind, item.id);
      notify(copy.retried(item.name));
      state.refetch();
    }, openUpgrade);
  }

  async function remove(items: readonly ItemView[]): Promise<boolean> {
    const ids = items.map(({ id }) => id);
    const isDone = await told(async () => {
      const { deleteItems } = await loadCalls();
      await deleteItems(platform, kind, placeId, ids);
    }, openUpgrade);
    if (isDone) notify(deleteCopy.done(items.length, words.one, words.many));
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

/** Runs a call; a refusal becomes a toast, a missing plan the upgrade dialog, a used window its end (spec P-218). */
async function told(
  work: () => Promise<void>,
  openUpgrade: () => void,
  setOpensAt?: (opensAt: number) => void,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    if (cause.code === "err.plan.required") openUpgrade();
    else notify(cause.message, { tone: "bad" });
    const opensAt = opensAtOf(cause.details);
    if (cause.code === "err.user.backup.limit" && opensAt !== null) setOpensAt?.(opensAt);
    return false;
  }
}

function opensAtOf(details: unknown): number | null {
  if (typeof details !== "object" || details === null || !("opensAt" in details)) return null;
  return typeof details.opensAt === "number" ? details.opensAt : null;
}
