import type { ItemView, RibbonDay } from "#core/inventory/views.ts";
import type { LiveEvent } from "#core/live/events.schema.ts";
import { isAction, startedProgress } from "./running-jobs.ts";

type StatusEvent = Extract<LiveEvent, { method: "item-status" }>;

/**
 * Applies one live event to the rows of an item list (spec part 2 section 4, Live status events). Pure; returns the
 * same array when nothing changes, so that a repeated event does not re-render.
 */
export function applyItemEvent(items: readonly ItemView[], event: LiveEvent): readonly ItemView[] {
  switch (event.method) {
    case "item-status":
      return replaceItem(items, event.id, (item) => itemAfterStatus(item, event));
    case "item-progress":
      if (!isAction(event.progress)) return items;
      return replaceItem(items, event.id, (item) => ({ ...item, activeRun: event.progress }));
    case "items-adding":
    case "items-changed":
    case "snapshot-verified":
    case "zip-status":
    case "copy-status":
    case "connection-changed":
    case "subscription-changed":
    case "updateDashboardPlatformItemsAmount":
    case "items-auto-added":
      return items;
    default:
      return event satisfies never;
  }
}

/**
 * Returns true for events that require refetching a list of this account because rows were added, removed or changed.
 * The end of an action changes the filters' counts too, and a failure may mean that the item was deleted at the
 * platform.
 */
export function refetchesList(
  event: LiveEvent,
  { platform, connectionId }: { platform: string; connectionId: string },
): boolean {
  const mayChangeRows =
    event.method === "items-changed" ||
    event.method === "connection-changed" ||
    (event.method === "item-status" && (event.status === "success" || event.status === "failed"));
  const isElsewhere = "connectionId" in event && (event.connectionId ?? connectionId) !== connectionId;
  return mayChangeRows && event.platform === platform && !isElsewhere;
}

function itemAfterStatus(item: ItemView, event: StatusEvent): ItemView {
  if (event.status === "queued" || event.status === "running") {
    return { ...item, activeRun: startedProgress(event, item.activeRun) };
  }
  const idle = endsShownRun(item, event) ? { ...item, activeRun: null } : item;
  if (event.type === "restore") return idle;
  if (event.status === "failed") return failedItem(idle, event);
  if (event.date === item.lastBackupAt) return idle;
  return {
    ...idle,
    status: item.status === "initialized" ? "backuped" : item.status,
    lastBackupAt: event.date,
    sizeBytes: event.sizeBytes ?? item.sizeBytes + event.data_size,
    lastError: null,
    versionCount: item.versionCount + 1,
    ribbon: endRunningDay(item.ribbon, "good"),
  };
}

/** The end of a run must only hide the run if it is the one shown. */
function endsShownRun(item: ItemView, event: StatusEvent): boolean {
  return item.activeRun !== null && item.activeRun.runId === event.runId;
}

function failedItem(item: ItemView, event: StatusEvent): ItemView {
  if (item.lastError?.at === event.date) return item;
  const lastError = event.errorText === null ? item.lastError : { text: event.errorText, at: event.date };
  return { ...item, lastError, ribbon: endRunningDay(item.ribbon, "failed") };
}

function endRunningDay(ribbon: RibbonDay[], state: "good" | "failed"): RibbonDay[] {
  const today = ribbon.at(-1);
  if (today?.state !== "running") return ribbon;
  const versions = today.versions + (state === "good" ? 1 : 0);
  /* A good version earlier that day takes precedence over a later failure. */
  return [...ribbon.slice(0, -1), { ...today, state: versions > 0 ? "good" : state, versions }];
}

function replaceItem(
  items: readonly ItemView[],
  id: string,
  change: (item: ItemView) => ItemView,
): readonly ItemView[] {
  const item = items.find((candidate) => candidate.id === id);
  if (item === undefined) return items;
  const next = change(item);
  return next === item ? items : items.map((candidate) => (candidate === item ? next : candidate));
}
