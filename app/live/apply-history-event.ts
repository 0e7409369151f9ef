import type { HistoryRow, HistoryView } from "#core/backups/views.ts";
import type { RunProgress } from "#core/inventory/views.ts";
import type { LiveEvent } from "#core/live/events.schema.ts";
import { isAction, startedProgress } from "./running-jobs.ts";

type StatusEvent = Extract<LiveEvent, { method: "item-status" }>;

/** The open history: its item and page. Pages start at 0, as on the wire. */
export type OpenHistory = { itemId: string; page: number; perPage: number };

/**
 * Applies one live event to the open history list. Only the first page changes (spec P-200). A new entry goes on top
 * and replaces an in-progress entry of its kind (P-204, P-205). Pure; returns the same view when nothing changes.
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
    case "copy-status":
      return replaceRow(view, event.snapshotId, (row) => ({
        ...row,
        copy: row.copy && { ...row.copy, status: event.status },
      }));
    default:
      return event satisfies never;
  }
}

/**
 * True for events that lack data of the row (the id of a new version, the URL of a ready ZIP, why a check failed). The
 * open page is then refetched.
 */
export function refetchesHistory(event: LiveEvent, itemId: string): boolean {
  if (event.method === "items-changed") return event.ids.includes(itemId);
  if (!("id" in event) || event.id !== itemId) return false;
  if (event.method === "item-status") return event.status === "success" || event.status === "failed";
  return ["snapshot-verified", "zip-status", "copy-status"].includes(event.method);
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
    {
      ...ended,
      sizeBytes: event.sizeBytes ?? ended.sizeBytes ?? event.data_size,
      newBytes: event.data_size,
      canRestore: true,
    },
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

/** Puts a row on top. It replaces the row of the same run, or an unfinished one of the same type. */
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
    restoreObstacle: null,
    unreachable: null,
    verify: null,
    erasedAt: null,
    keptUntil: null,
    copy: null,
    zip: { status: "none", url: null, expiresAt: null },
    restoredTo: null,
    outcome: null,
    report: null,
    progress: null,
  };
}

function replaceRow(
  view: HistoryView,
  snapshotId: string,
  change: (row: HistoryRow) => HistoryRow,
): HistoryView {
  if (!view.rows.some((row) => row.snapshotId === snapshotId)) return view;
  return { ...view, rows: view.rows.map((row) => (row.snapshotId === snapshotId ? change(row) : row)) };
}
