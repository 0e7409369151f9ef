import type { HistoryRow, HistoryView } from "#core/backups/views.ts";
import type { ItemView, RibbonDay, RunProgress } from "#core/inventory/views.ts";
import type { LiveEvent } from "#core/live/events.schema.ts";
import { isAction, startedProgress } from "./running-jobs.ts";

type StatusEvent = Extract<LiveEvent, { method: "item-status" }>;

/**
 * Applies one live event to the rows of an item list (spec part 2 section 4, Live status events). Pure; returns the same
 * array when nothing changes, so that a repeated event draws nothing anew.
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
    case "connection-changed":
    case "items-auto-added":
      return items;
    default:
      return event satisfies never;
  }
}

/**
 * True for events after which a list of this platform must be fetched again because rows came, went or changed. The end of
 * an action moves the filters' counts as well, and a failure may mean that the item is gone at the platform.
 */
export function refetchesList(event: LiveEvent, platform: string): boolean {
  const mayChangeRows =
    event.method === "items-changed" ||
    event.method === "connection-changed" ||
    (event.method === "item-status" && (event.status === "success" || event.status === "failed"));
  return mayChangeRows && event.platform === platform;
}

/** Which history is open: its item, and its page counted from 0 as on the wire. */
export type OpenHistory = { itemId: string; page: number; perPage: number };

/**
 * Applies one live event to the open history list. Only the first page moves (spec P-200); a new entry goes on top and
 * replaces one of its kind that was in progress (P-204, P-205). Pure; the same view comes back when nothing changes.
 */
export function applyHistoryEvent(view: HistoryView, event: LiveEvent, open: OpenHistory): HistoryView {
  if (open.page !== 0 || !("id" in event) || event.id !== open.itemId) return view;
  switch (event.method) {
    case "item-status":
      return historyAfterStatus(view, event, open);
    case "item-progress":
      return isAction(event.progress) ? historyAfterProgress(view, event.progress, open) : view;
    case "snapshot-verified":
      return replaceRow(view, event.snapshotId, (row) => ({
        ...row,
        verify: { state: event.state, at: event.at, text: null },
      }));
    case "zip-status":
      return replaceRow(view, event.snapshotId, (row) => ({
        ...row,
        zip: { status: event.status, url: null, expiresAt: null },
      }));
    default:
      return event satisfies never;
  }
}

/**
 * True for events that say less than the row shows (the id of a new version, the address of a ready ZIP, why a check
 * failed): the open page is fetched again behind them.
 */
export function refetchesHistory(event: LiveEvent, itemId: string): boolean {
  if (event.method === "items-changed") return event.ids.includes(itemId);
  if (!("id" in event) || event.id !== itemId) return false;
  if (event.method === "item-status") return event.status === "success" || event.status === "failed";
  return event.method === "snapshot-verified" || event.method === "zip-status";
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
    sizeBytes: item.sizeBytes + event.data_size,
    lastError: null,
    versionCount: item.versionCount + 1,
    ribbon: endRunningDay(item.ribbon, "good"),
  };
}

/** The end of another run than the one shown must not hide the shown one. */
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
  /* A good version of earlier that day outweighs a later failure in the cell. */
  return [...ribbon.slice(0, -1), { ...today, state: versions > 0 ? "good" : state, versions }];
}

function historyAfterStatus(view: HistoryView, event: StatusEvent, open: OpenHistory): HistoryView {
  const known = view.rows.find((row) => row.key === event.runId);
  if (event.status === "queued" || event.status === "running") {
    if (known !== undefined && isEnded(known)) return view;
    const row = known ?? startedRow(event);
    return putOnTop(
      view,
      { ...row, status: event.status, progress: startedProgress(event, row.progress) },
      open,
    );
  }
  if (known !== undefined && known.status === event.status) return view;
  const ended: HistoryRow = {
    ...(known ?? startedRow(event)),
    status: event.status,
    date: event.date,
    errorText: event.errorText,
    progress: null,
  };
  if (event.status === "failed") return putOnTop(view, { ...ended, canRestore: false }, open);
  if (event.type === "restore") return putOnTop(view, ended, open);
  return putOnTop(
    view,
    { ...ended, sizeBytes: ended.sizeBytes ?? event.data_size, newBytes: event.data_size, canRestore: true },
    open,
  );
}

function historyAfterProgress(view: HistoryView, progress: RunProgress, open: OpenHistory): HistoryView {
  const known = view.rows.find((row) => row.key === progress.runId);
  if (known !== undefined) {
    if (isEnded(known)) return view;
    const next = { ...known, status: progress.status, progress };
    return { ...view, rows: view.rows.map((row) => (row === known ? next : row)) };
  }
  if (progress.startedAt === null) return view;
  const type = progress.kind === "restore" ? "restore" : "backup";
  const row = emptyRow(progress.runId, type, progress.startedAt);
  return putOnTop(view, { ...row, status: progress.status, progress }, open);
}

/** Puts a row first, in the place of the row of the same run or of an unfinished one of the same type. */
function putOnTop(view: HistoryView, row: HistoryRow, open: OpenHistory): HistoryView {
  const others = view.rows.filter(
    (other) => other.key !== row.key && (isEnded(other) || other.type !== row.type),
  );
  const isNew = others.length === view.rows.length;
  return { rows: [row, ...others].slice(0, open.perPage), total: view.total + (isNew ? 1 : 0) };
}

function isEnded(row: HistoryRow): boolean {
  return row.status === "success" || row.status === "failed";
}

function startedRow(event: StatusEvent): HistoryRow {
  return emptyRow(event.runId, event.type, event.date);
}

function emptyRow(key: string, type: "backup" | "restore", date: number): HistoryRow {
  return {
    key,
    type,
    status: "running",
    date,
    sizeBytes: null,
    newBytes: null,
    snapshotId: null,
    errorText: null,
    trigger: "user",
    skipped: [],
    skippedCount: 0,
    canRestore: false,
    verify: null,
    keptUntil: null,
    zip: { status: "none", url: null, expiresAt: null },
    restoredTo: null,
    report: null,
    progress: null,
  };
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

function replaceRow(
  view: HistoryView,
  snapshotId: string,
  change: (row: HistoryRow) => HistoryRow,
): HistoryView {
  if (!view.rows.some((row) => row.snapshotId === snapshotId)) return view;
  return { ...view, rows: view.rows.map((row) => (row.snapshotId === snapshotId ? change(row) : row)) };
}
