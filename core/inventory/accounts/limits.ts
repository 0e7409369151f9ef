import { HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";

/** Digits of the code that confirms an account. */
export const CODE_DIGITS = 6;
/** How long a code is valid. */
export const CODE_MINUTES = 15;
/** Maximum tries per code. */
export const CODE_TRIES = 5;
/** Maximum codes per account within `CODE_WINDOW_MS`. */
export const CODES_PER_WINDOW = 5;
export const CODE_WINDOW_MS = HOUR_MS;
/** Time between two looks for new items of a connection. */
export const AUTO_ADD_EVERY_MS = HOUR_MS;
/** Maximum connections that one tick queues. */
export const AUTO_ADD_AT_ONCE = 500;
/** Maximum pages that a look reads per place. */
export const AUTO_ADD_PAGES = 100;
export const AUTO_ADD_PER_PAGE = 100;
/** Items of a replaced connection that one batch deletes. */
export const REMOVE_AT_ONCE = 200;
/** Replaced connections that one sweep handles, if they were replaced longer ago than `REMOVED_LEFT_BEHIND_MS`. */
export const SWEEP_REMOVED = 20;
export const REMOVED_LEFT_BEHIND_MS = 5 * MINUTE_MS;
