import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";

/** Checks that one pass queues. */
export const REVERIFY_AT_ONCE = 200;
/** Repetitions of one statement per pass, so that an invocation stays within the platform's thousand statements. */
export const LOOKS = 40;
/** Passes over expired versions; each has up to seven statements. */
export const EXPIRE_LOOKS = 20;
/** Snapshots expired, and objects pruned, per statement. R2 deletes at most this many keys per call. */
export const SWEEP_AT_ONCE = 1_000;
/** How many stretches of items, and items per stretch, one pass searches for unreferenced objects. */
export const PRUNE_SWEEP = { items: 500, stretches: 40 };
/** A slice of a CPU-bound check ends after this time: an isolate has at most 5 minutes of CPU time (wrangler.toml). */
export const CHECK_SLICE_MS = 3 * 60_000;
/** The watch's interval (wrangler.toml: hourly). */
export const WATCH_MS = HOUR_MS;
/**
 * The pack ages at which its item is considered for a repack: a day after versions of the same time have expired (30
 * days, Pro 90), and again when an item that was repacked that week may be repacked again.
 */
export const REPACK_AGES_MS = [31 * DAY_MS, 39 * DAY_MS, 91 * DAY_MS, 99 * DAY_MS] as const;
/** Minimum time between two repacks of an item. */
export const REPACK_QUIET_MS = 7 * DAY_MS;
/** Candidates that one statement finds. */
export const REPACK_AT_ONCE = 100;
/** An item is considered with this many packs, or with two that hold this many bytes together. */
export const REPACK_LEAST_PACKS = 16;
export const REPACK_LEAST_BYTES = 1024 * 1024;
/** Needed bytes and blobs that one run rewrites: minutes of a slice, and about 100 bytes of memory per blob. */
export const REPACK_BYTES = 256 * 1024 * 1024;
export const REPACK_BLOBS = 150_000;
/** How soon a repack checks again whether the item is idle. */
export const REPACK_BUSY_RETRY_MS = 10 * 60_000;
