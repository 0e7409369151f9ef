import { HOUR_MS } from "#core/kernel/clock.ts";
import type { Work } from "./workspace-run.ts";

/** Notion's search shows changes with a delay ("Search optimizations and limitations"); it does not say which. */
const OVERLAP_MS = HOUR_MS;

/** The time from which changes are read: the newest edit that the last backup knew, with an overlap; null = all. */
export function changedSince({ run }: Work): string | null {
  return changedBefore(run.known?.marks.edited ?? "") || null;
}

/** The time from which changes after an edit are read; "" = there was none. */
export function changedBefore(edited: string): string {
  const mark = Date.parse(edited);
  return Number.isNaN(mark) ? "" : new Date(mark - OVERLAP_MS).toISOString();
}

/** Whether a change is so old that no other one can have the same minute, and the search has caught up with it. */
export function isLongAgo(edited: string, nowMs: number): boolean {
  return nowMs - Date.parse(edited) > OVERLAP_MS;
}

/**
 * Whether a thing with this stored time of its last edit is unchanged. Times have whole minutes: in the newest minute that the
 * last backup knew, another edit may have followed, unless that minute was long ago when it was read.
 */
export function isUnchanged({ run }: Pick<Work, "run">, stored: unknown, edited: string): boolean {
  if (stored !== edited || run.known === null) return false;
  const minute = (run.known.marks.edited ?? "").slice(0, "2026-01-01T00:00".length);
  return edited < minute || run.known.marks.settled === "yes";
}
