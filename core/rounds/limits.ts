import { DAY_MS } from "#core/kernel/clock.ts";

/** Items of a round that are drawn one by one. A larger round is only counted. */
export const DRAWN_ITEMS = 400;
/** Open runs in one answer, those at work first. */
export const OPEN_RUNS = 60;
/** Scheduled backups of today that the queue names after the queued runs. */
export const DUE_NAMED = 10;
/** Accounts whose limits are asked for. */
export const LIMITS_SHOWN = 20;
/**
 * An ended run is looked for among those that were created this long before the day began. A run without progress
 * fails sooner than that (`MAX_STANDSTILL_MS`).
 */
export const LOOK_BACK_MS = 2 * DAY_MS;
