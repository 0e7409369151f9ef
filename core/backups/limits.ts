import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";

/** Due items claimed by one statement. */
export const CLAIM_AT_ONCE = 500;
/** Messages in one batch to the queue. */
export const SEND_AT_ONCE = 100;
/** How long one cron tick goes on claiming. */
export const DISPATCH_MS = 8 * 60_000;
/** Every version is checked again in full within this time (promise of proof, reliability R9). */
export const REVERIFY_AFTER_MS = 30 * DAY_MS;
/** Versions re-checked by one hourly tick and region. */
export const REVERIFY_AT_ONCE = 20;
/** Snapshots expired, and objects pruned, by one statement. */
export const SWEEP_AT_ONCE = 200;
/** A ZIP link lives this long (spec P-219). */
export const EXPORT_LIFE_MS = 24 * HOUR_MS;
