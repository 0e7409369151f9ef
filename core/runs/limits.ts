import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#core/kernel/clock.ts";

/** How long a claim lasts without a heartbeat. After that the sweep offers the run again. */
export const LEASE_MS = 30 * SECOND_MS;
/** The phase shown for a run whose consumer died, until the next one reports progress. */
export const RESUMING = "Resuming";
/** How often a slice renews its lease, even without progress. */
export const HEARTBEAT_MS = 10 * SECOND_MS;
/** Progress is written to the ledger at most this often (design, engine 1). */
export const PROGRESS_EVERY_MS = 2 * SECOND_MS;
/** A slice hands over to the next one after this time (design, engine 1). */
export const SLICE_MS = 8 * MINUTE_MS;
/** Maximum sub-requests of one slice, to any service (design, engine 10). */
export const SLICE_REQUESTS = 2_000;
/** Maximum database queries among them: D1 allows 1,000 per invocation. */
export const SLICE_QUERIES = 900;
/** How long a queued run may stay unclaimed before it counts as lost. */
export const QUEUE_PATIENCE_MS = MINUTE_MS;
/** Backups, checks and repacks that run at the same time for one connection. */
export const RUNS_OF_AN_ACCOUNT = 6;
/** How long a run waits for its turn before the sweep offers it again. */
export const TURN_PATIENCE_MS = 10 * MINUTE_MS;
/** Delay before a run retries when another run holds its item. */
export const BUSY_RETRY_MS = 15 * SECOND_MS;
/** Consecutive attempts after transient faults before a run fails. Waiting for a rate limit does not count. */
export const MAX_ATTEMPTS = 5;
/** Delay before attempt 2, 3, 4, 5. */
export const RETRY_DELAYS_MS = [15 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 20 * MINUTE_MS] as const;
/** A run without progress for this long fails, whatever it waits for: every run ends. */
export const MAX_STANDSTILL_MS = 48 * HOUR_MS;
/** How many of an item's last successful runs are used to estimate the next one. */
export const ESTIMATED_FROM_RUNS = 3;
/** Claims without stored progress after which a run that keeps crashing fails. */
export const MAX_CLAIMS = 12;
/** How often a run may restart because its cursor is unreadable. After that it fails: every run ends. */
export const MAX_RESTARTS = 3;
/** Delays after the first, second … failed copy of a version before the next attempt. The last one repeats. */
export const COPY_AGAIN_MS = [15 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, 12 * HOUR_MS] as const;
/**
 * How long successful repacks and deletions, and what a restore recorded, keep their rows. A repack looks for the last one
 * within a week, a removed item's backups count in the report of the week and go with its deletion, and a run that lost
 * its lease may still read what a restore recorded.
 */
export const NEEDED_FOR_MS = 8 * DAY_MS;

/**
 * How long the backup of a changed version keeps a row of its own, and any other ended run that nothing shows. The day of
 * a backup has ended everywhere by then. That of an unchanged version is folded by its commit.
 */
export const FOLD_AFTER_MS = 2 * DAY_MS;
/** Rows that one statement deletes, and how often a pass repeats it. */
export const FORGOTTEN_AT_ONCE = 1_000;
export const FORGOTTEN_LOOKS = 40;
