import type { WithFacts } from "#connectors/contract/row-facts.ts";
import type { HistoryRow } from "#core/backups/views.ts";
import type { ItemView, RunProgress } from "#core/inventory/views.ts";
import type { LiveEvent } from "#core/live/events.schema.ts";

/** Live-data objects for tests and previews. */

export function progressOf(over: Partial<RunProgress> = {}): RunProgress {
  return {
    runId: "run_1",
    kind: "backup",
    status: "running",
    phase: "Receiving objects",
    done: 42,
    total: 100,
    unit: "objects",
    bytesRead: 38_400_000,
    startedAt: 1_000,
    expectedEndAt: null,
    waitingUntil: null,
    fault: null,
    ...over,
  };
}

export function itemOf(over: Partial<WithFacts<ItemView>> = {}): WithFacts<ItemView> {
  return {
    id: "itm_1",
    platform: "github",
    kind: "repository",
    connectionId: "con_1",
    placeId: "plc_1",
    externalId: "1",
    name: "carrier-sync",
    fullName: "meridian-freight/carrier-sync",
    description: null,
    tags: [{ label: "PVT", meaning: "Private" }],
    isOpen: false,
    status: "backuped",
    isDaily: true,
    lastBackupAt: 500,
    sizeBytes: 1_000,
    activeRun: null,
    nextDueAt: null,
    lastError: null,
    alarm: null,
    backupNowOpensAt: null,
    versionCount: 3,
    ribbon: [],
    webUrl: "https://github.com/meridian-freight/carrier-sync",
    createdAt: 0,
    facts: {},
    ...over,
  };
}

export function rowOf(over: Partial<HistoryRow> = {}): HistoryRow {
  return {
    key: "run_0",
    type: "backup",
    status: "success",
    date: 500,
    sizeBytes: 1_000,
    newBytes: 10,
    snapshotId: "snp_0",
    errorText: null,
    trigger: "schedule",
    skipped: [],
    skippedCount: 0,
    outcome: null,
    canRestore: true,
    restoreObstacle: null,
    unreachable: null,
    verify: { state: "queued", at: null, text: null },
    erasedAt: null,
    keptUntil: 9_000,
    copy: null,
    zip: { status: "none", url: null, expiresAt: null },
    restoredTo: null,
    report: null,
    progress: null,
    ...over,
  };
}

type StatusEvent = Extract<LiveEvent, { method: "item-status" }>;

export function statusEvent(over: Partial<StatusEvent> = {}): StatusEvent {
  return {
    method: "item-status",
    platform: "github",
    id: "itm_1",
    type: "backup",
    status: "success",
    date: 2_000,
    data_size: 70,
    actionProcess: null,
    runId: "run_1",
    errorText: null,
    ...over,
  };
}

export function progressEvent(over: Partial<RunProgress> = {}): LiveEvent {
  return { method: "item-progress", platform: "github", id: "itm_1", progress: progressOf(over) };
}
