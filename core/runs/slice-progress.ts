import type { Progress } from "#connectors/contract/platform-connector.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import type { Uses } from "#core/services.ts";
import { LEASE_MS, PROGRESS_EVERY_MS } from "./limits.ts";
import type { RunKind, RunRow } from "./run-row.ts";
import { markRun, recentDurations } from "./runs.store.ts";

/** Progress of a run. It is written to the run's row, which also extends the lease, and sent to open screens. */
export type SliceProgress = {
  /** Sets the newest progress without writing it. */
  show(progress: Progress): void;
  /** Returns true when the last write is long enough ago. */
  isDue(): boolean;
  /** Shows a run that was just claimed. The claim has renewed the lease, so nothing is written. */
  begin(): Promise<void>;
  /** Writes the newest progress after earlier writes. Returns false when another consumer owns the run. */
  writeInTurn(): Promise<boolean>;
  countBytes(bytes: number): void;
  bytesRead(): number;
  /** Sets the expected end, epoch ms. */
  expectEnd(at: number): void;
  tellWaiting(until: number, fault: string | null): Promise<void>;
  tellRestart(phase: string): Promise<void>;
};

/** Continues with the progress in the run's row. */
export function createSliceProgress(
  s: Uses<"clock" | "live">,
  slice: {
    ledger: LedgerDatabase;
    run: RunRow;
    hold: { runId: string; epoch: number; itemId: string; kind: RunKind };
    startedAt: number;
    onQuery: () => void;
  },
): SliceProgress {
  const { ledger, run, hold, onQuery } = slice;
  const startedAt = run.startedAt ?? slice.startedAt;
  let { bytesRead } = run;
  let writtenAt = 0;
  let expectedEndAt: number | null | undefined = run.expectedEndAt ?? undefined;
  let last: Progress = { phase: run.phase ?? "Starting", done: run.done, total: run.total, unit: "objects" };
  let writing: Promise<unknown> = Promise.resolve();
  const facts = () => ({ phase: last.phase, done: last.done, total: last.total, unit: last.unit, bytesRead });

  async function write(): Promise<boolean> {
    onQuery();
    const now = s.clock.now();
    writtenAt = now;
    if (!(await markRun(ledger, hold, { ...facts(), leaseUntil: now + LEASE_MS }))) return false;
    await tell();
    return true;
  }

  async function tell(): Promise<void> {
    if (expectedEndAt === undefined) expectedEndAt = await estimateEnd(ledger, run, startedAt);
    await publish({ status: "running", waitingUntil: null, fault: null });
  }

  function publish(rest: {
    status: "queued" | "running";
    waitingUntil: number | null;
    fault: string | null;
  }): Promise<void> {
    const { id: runId, kind, platform, itemId, organisationId } = run;
    const progress = { runId, kind, ...facts(), startedAt, expectedEndAt: expectedEndAt ?? null, ...rest };
    return s.live.publish(organisationId, [{ method: "item-progress", platform, id: itemId, progress }]);
  }

  return {
    show: (progress) => {
      last = progress;
    },
    isDue: () => s.clock.now() - writtenAt >= PROGRESS_EVERY_MS,
    begin() {
      onQuery();
      writtenAt = s.clock.now();
      return tell();
    },
    writeInTurn() {
      const written = writing.then(write, write);
      writing = written;
      return written;
    },
    countBytes: (bytes) => {
      bytesRead += bytes;
    },
    bytesRead: () => bytesRead,
    expectEnd: (at) => {
      expectedEndAt = at;
    },
    tellWaiting: (until, fault) => publish({ status: "queued", waitingUntil: until, fault }),
    tellRestart: (phase) => {
      last = { phase, done: 0, total: null, unit: "objects" };
      expectedEndAt = null;
      return publish({ status: "queued", waitingUntil: null, fault: null });
    },
  };
}

/** Estimates the end of the run from the item's last runs. */
async function estimateEnd(ledger: LedgerDatabase, run: RunRow, startedAt: number): Promise<number | null> {
  const durations = await recentDurations(ledger, run.itemId, run.kind);
  if (durations.length === 0) return null;
  return startedAt + Math.round(durations.reduce((sum, ms) => sum + ms, 0) / durations.length);
}
