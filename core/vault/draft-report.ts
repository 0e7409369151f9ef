import type { DraftState } from "./draft-segments.ts";
import type { DraftUndo } from "./draft-undo.ts";
import { compareUtf8 } from "./paths.ts";
import type { Completeness } from "./types.ts";

const MAX_SKIPPED = 1_000;
/** The list is stored in two rows of the ledger, and a row takes at most two megabytes. */
const MAX_SKIPPED_BYTES = 500_000;

/** Collects how complete a draft is. */
export type DraftReport = {
  /** Records an entry that could not be read. All are counted; only a bounded number is named. */
  skipped(skip: { path: string; kind: string; reason: string }): void;
  /** Records a count that the platform itself reports. */
  reported(kind: string, count: number): void;
};

/** Continues the report in a state, and modifies the state. */
export function openDraftReport(state: DraftState, undo: DraftUndo): DraftReport {
  let skippedBytes = Buffer.byteLength(JSON.stringify(state.skipped));
  return {
    skipped({ path, kind, reason }) {
      const { skipped, skippedCount } = state;
      const { length } = skipped;
      const bytesBefore = skippedBytes;
      undo.note(() => {
        state.skippedCount = skippedCount;
        skipped.length = length;
        skippedBytes = bytesBefore;
      });
      state.skippedCount++;
      const line = { path, kind, reason };
      const bytes = skippedBytes + Buffer.byteLength(JSON.stringify(line));
      if (skipped.length >= MAX_SKIPPED || bytes > MAX_SKIPPED_BYTES) return;
      skipped.push(line);
      skippedBytes = bytes;
    },
    reported(kind, count) {
      const before = state.reported[kind];
      undo.note(() => {
        if (before === undefined) delete state.reported[kind];
        else state.reported[kind] = before;
      });
      state.reported[kind] = count;
    },
  };
}

/** Returns what is missing, in an order independent of when it was found. */
export function completenessOf(
  state: DraftState,
  facts: { apiVersion: string; account: string },
): Omit<Completeness, "counts"> {
  const skipped = [...state.skipped].sort(
    (a, b) => compareUtf8(a.path, b.path) || compareUtf8(a.reason, b.reason),
  );
  return { reported: state.reported, skipped, skippedCount: state.skippedCount, ...facts };
}
