import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";

/** Due items claimed by one look: two statements for each, of the thousand that an invocation may make. */
export const CLAIM_AT_ONCE = 400;
/** Messages in one batch to the queue. */
export const SEND_AT_ONCE = 100;
/** Every version is checked again in full within this time (promise of proof, reliability R9). */
export const REVERIFY_AFTER_MS = 30 * DAY_MS;
/** Items of a request for everything that one look queues. */
export const REQUESTED_AT_ONCE = 200;
/** Versions whose check one look queues. */
export const REVERIFY_AT_ONCE = 200;
/** Repetitions of one statement in a look, so that its invocation keeps to the platform's thousand. */
export const LOOKS = 40;
/** Snapshots expired, and objects pruned, by one statement; R2 deletes no more keys in one call. */
export const SWEEP_AT_ONCE = 1_000;
/** One look goes through so many stretches of so many items for what nothing refers to. */
export const PRUNE_SWEEP = { items: 500, stretches: 40 };
/** A slice of a check that computes hands over after this: an isolate computes 5 minutes at most (wrangler.toml). */
export const CHECK_SLICE_MS = 3 * 60_000;
/** How often the watch comes round (wrangler.toml: hourly). */
export const WATCH_MS = HOUR_MS;
/**
 * Ages at which a pack draws a look at its item: a day after versions of its time have expired (30 days, Pro 90), and
 * once more when an item that had its look that week may look again.
 */
export const REPACK_AGES_MS = [31 * DAY_MS, 39 * DAY_MS, 91 * DAY_MS, 99 * DAY_MS] as const;
/** An item is repacked at most once in this time. */
export const REPACK_QUIET_MS = 7 * DAY_MS;
/** Items whose repack one statement finds. */
export const REPACK_AT_ONCE = 100;
/** An item is worth a look with so many packs, or with two that hold so much together. */
export const REPACK_LEAST_PACKS = 16;
export const REPACK_LEAST_BYTES = 1024 * 1024;
/** Needed bytes and blobs that one run rewrites: minutes of a slice, and about 100 bytes of memory a blob. */
export const REPACK_BYTES = 256 * 1024 * 1024;
export const REPACK_BLOBS = 150_000;
/** How soon a repack looks again whether the item is quiet. */
export const REPACK_BUSY_RETRY_MS = 10 * 60_000;
/**
 * Objects that one version may need. Their ids are bound as one value, and D1 takes two megabytes in a value: at 31
 * bytes for each there is room for 64,000.
 */
export const OBJECTS_PER_VERSION = 60_000;
