import { HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";

/** Rows of a page, and the bytes after which it ends. A parameter of D1 takes 2 MB, and one row is at most as large. */
export const MOST_PAGE_ROWS = 500;
export const MOST_PAGE_BYTES = 400_000;

/** Rows of a table, of all organisations, that one statement passes over. */
export const STRETCH_ROWS = 20_000;

/** Differences of a pass after which the source is closed: the last passes write about as many rows again. */
export const FEW_DIFFERENCES = 500;

/** Passes over a closed source. Triggers need at most three; more means that the two cannot become equal. */
export const MOST_LAST_PASSES = 6;

/** How often a command reports, and the silence after which its move is undone. */
export const BEAT_EVERY_MS = MINUTE_MS / 2;
export const SILENT_MS = 15 * MINUTE_MS;

/** How long rows stay where an organisation left: longer than any invocation that still reads them. */
export const ROWS_STAY_MS = HOUR_MS;

/** A ledger is known to every isolate after this time (`core/organisations/organisation.store.ts`). */
export const KNOWN_AFTER_MS = HOUR_MS;
