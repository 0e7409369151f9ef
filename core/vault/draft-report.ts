import type { DraftState } from "./draft-segments.ts";
import type { DraftUndo } from "./draft-undo.ts";
import { compareUtf8 } from "./paths.ts";
import type { Completeness } from "./types.ts";

const MAX_SKIPPED = 1_000;
/** The list stands in two rows of the ledger, of which each takes two megabytes in all. */
const MAX_SKIPPED_BYTES = 500_000;

/** What a draft tells about its completeness. */
export type DraftReport = {
  /** Notes what could not be read. All are counted, and named up to a bound. */
  skipped(skip: { path: string; kind: string; reason: string }): void;
  /** Notes a count that the platform itself reports. */
  reported(kind: string, count: number): void;
};

/** Goes on with the report of a state, which changes with it. */
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

/** The record of what is missing, in an order that does not depend on when it was met. */
export function completenessOf(
  state: DraftState,
  facts: { apiVersion: string; account: string },
): Omit<Completeness, "counts"> {
  const skipped = [...state.skipped].sort(
    (a, b) => compareUtf8(a.path, b.path) || compareUtf8(a.reason, b.reason),
  );
  return { reported: state.reported, skipped, skippedCount: state.skippedCount, ...facts };
}
