import { HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";

/** Digits of the code that confirms an account. */
export const CODE_DIGITS = 6;
/** How long a code counts. */
export const CODE_MINUTES = 15;
/** How often one code may be tried. */
export const CODE_TRIES = 5;
/** Codes of one account in a window. */
export const CODES_PER_WINDOW = 5;
export const CODE_WINDOW_MS = HOUR_MS;
/** Time between two looks for new items of a connection. */
export const AUTO_ADD_EVERY_MS = HOUR_MS;
/** Connections that one tick asks to look. */
export const AUTO_ADD_AT_ONCE = 500;
/** Items that a look reads of one place at most, by the page. */
export const AUTO_ADD_PAGES = 100;
export const AUTO_ADD_PER_PAGE = 100;
/** Items of a removed connection that one batch deletes. */
export const REMOVE_AT_ONCE = 200;
/** Removed connections that one sweep takes up, those left behind for longer than this. */
export const SWEEP_REMOVED = 20;
export const REMOVED_LEFT_BEHIND_MS = 5 * MINUTE_MS;
