import type { RunProgress } from "#core/inventory/views.ts";

/** The copy of a version. A failed copy does not affect the version. */
export type VersionCopy = {
  /** Kind of the storage: its tag on the wire. */
  kind: string;
  status: "waiting" | "copying" | "stored" | "failed";
  /** Path below the Holdfast folder. */
  path: string | null;
  sizeBytes: number | null;
  storedAt: number | null;
  /** The reason for a failure, as a sentence. */
  text: string | null;
  /** When it is retried; null with `failed` = when the storage is connected again, or never. */
  nextTryAt: number | null;
};

/** One row of an item's history: a backup or restore, finished or open. */
export type HistoryRow = {
  /** The run's id. */
  key: string;
  type: "backup" | "restore";
  status: "success" | "failed" | "running" | "queued";
  /** Epoch ms: taken, finished or started. */
  date: number;
  sizeBytes: number | null;
  /** Bytes newly written (the spec's sizeSub). */
  newBytes: number | null;
  snapshotId: string | null;
  errorText: string | null;
  trigger: "schedule" | "user" | "system";
  skipped: { path: string; kind: string; reason: string }[];
  skippedCount: number;
  canRestore: boolean;
  /** Why its platform does not take the version back, as a sentence; null = it does, or is not yet known. */
  restoreObstacle: string | null;
  /** What the version and its ZIP hold although no ref reaches it; `bytes` null = not counted. Null = nothing found. */
  unreachable: { objects: number; bytes: number | null } | null;
  verify: {
    state: "queued" | "verified" | "intact" | "failed";
    at: number | null;
    text: string | null;
  } | null;
  /** When the owner erased the version, epoch ms; null = it was not erased. */
  erasedAt: number | null;
  keptUntil: number | null;
  /** The copy in the organisation's own storage; null = none is intended. */
  copy: VersionCopy | null;
  zip: {
    status: "none" | "pending" | "ready" | "expired" | "failed";
    url: string | null;
    expiresAt: number | null;
  };
  /** The target of a restore. */
  restoredTo: { name: string; url: string | null } | null;
  /** The number of report lines of a restore that did not fail. A line about something missing makes it incomplete. */
  outcome: { missing: number; notes: number } | null;
  /** A restore's report. */
  report: {
    restored: Record<string, number>;
    changed: { what: string; reason: string }[];
    impossible: { what: string; reason: string }[];
    missing: { what: string; reason: string }[];
    /** Old → new numbers and ids where they differ, and how many there are in total. */
    mapped: { kind: string; from: string; to: string; url: string | null }[];
    mappedCount: number;
  } | null;
  progress: RunProgress | null;
};

/** The response of the history page. */
export type HistoryView = { rows: HistoryRow[]; total: number };
