import type { ItemView, RunProgress } from "#core/inventory/views.ts";

/** A protected item for tests; `change` replaces what matters there. */
export function itemView(change: Partial<ItemView> = {}): ItemView {
  return {
    id: "itm_1",
    platform: "example",
    kind: "repository",
    connectionId: "con_1",
    placeId: "plc_1",
    externalId: "1",
    nodeId: null,
    name: "docs",
    fullName: "acme/docs",
    description: null,
    visibility: "private",
    status: "backuped",
    isDaily: true,
    lastBackupAt: Date.parse("2026-11-20T13:02:00Z"),
    sizeBytes: 19_800_000,
    activeRun: null,
    nextDueAt: null,
    lastError: null,
    backupNowOpensAt: null,
    versionCount: 3,
    ribbon: [],
    webUrl: "https://example.com/acme/docs",
    createdAt: Date.parse("2026-10-01T00:00:00Z"),
    ...change,
  };
}

/** A running backup for tests. */
export function runProgress(change: Partial<RunProgress> = {}): RunProgress {
  return {
    runId: "run_1",
    kind: "backup",
    status: "running",
    phase: "Receiving objects",
    done: 412,
    total: 980,
    unit: "objects",
    bytesRead: 38_400_000,
    startedAt: Date.parse("2026-11-20T13:24:00Z"),
    expectedEndAt: null,
    waitingUntil: null,
    ...change,
  };
}
