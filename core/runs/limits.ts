import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#core/kernel/clock.ts";

/** How long a claim holds without a sign of life; the sweep offers the run again afterwards. */
export const LEASE_MS = MINUTE_MS;
/** How often a working slice renews its lease even when nothing moves. */
export const HEARTBEAT_MS = 20 * SECOND_MS;
/** Progress is written to the ledger at most this often (design, engine 1). */
export const PROGRESS_EVERY_MS = 2 * SECOND_MS;
/** A slice hands over to the next one after this time (design, engine 1). */
export const SLICE_MS = 8 * MINUTE_MS;
/** Sub-requests of one slice, whoever is asked (design, engine 10). */
export const SLICE_REQUESTS = 2_000;
/** Those of them that are queries: D1 answers 1,000 in one invocation. */
export const SLICE_QUERIES = 900;
/** How long after being queued a run counts as lost when nobody claimed it. */
export const QUEUE_PATIENCE_MS = MINUTE_MS;
/** Backups, checks and repacks of one connected account that work at the same time. */
export const RUNS_OF_AN_ACCOUNT = 6;
/** How long a run waits for its turn before the sweep looks after it. */
export const TURN_PATIENCE_MS = 10 * MINUTE_MS;
/** How soon a run looks again when its item is busy with another one. */
export const BUSY_RETRY_MS = 15 * SECOND_MS;
/** Attempts in a row after passing faults before a run fails; waiting for a rate limit does not count. */
export const MAX_ATTEMPTS = 5;
/** Delay before attempt 2, 3, 4, 5. */
export const RETRY_DELAYS_MS = [15 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 20 * MINUTE_MS] as const;
/** A run that has made no progress for this long fails whatever it waits for: every run ends. */
export const MAX_STANDSTILL_MS = 48 * HOUR_MS;
/** How many of an item's last good runs tell how long the next one takes. */
export const ESTIMATED_FROM_RUNS = 3;
/** Claims without a stored step in between after which a run that only ever crashes fails. */
export const MAX_CLAIMS = 12;
/** How often a run may begin anew because its cursor is not understood; after that it fails: every run ends. */
export const MAX_RESTARTS = 3;
/** How long after the first, second … run that could not copy a version another one tries; from then on the last. */
export const COPY_AGAIN_MS = [15 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, 12 * HOUR_MS] as const;
