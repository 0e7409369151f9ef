import { HOUR_MS } from "#core/kernel/clock.ts";

/** Days of the retention ribbon in lists (mock "the ledger"). */
export const RIBBON_DAYS = 30;
/** An item without a good backup for this long counts as stale. */
export const STALE_AFTER_MS = 26 * HOUR_MS;
/** Maximum stale items that are counted for each account and kind; showing 99+ is enough. */
export const STALE_COUNTED = 100;
/** Items looked up at the platform in parallel while adding. */
export const ADD_AT_ONCE = 5;
/** Maximum items added, removed or changed by one call. */
export const ITEMS_PER_CALL = 1_000;
/** Time between two looks for new items of a connection. */
export const AUTO_ADD_EVERY_MS = HOUR_MS;
/** Connections for which one tick queues a check for new items. */
export const AUTO_ADD_AT_ONCE = 500;
/** Maximum pages that such a check reads of one place. */
export const AUTO_ADD_PAGES = 100;
export const AUTO_ADD_PER_PAGE = 100;
/** Items that one batch deletes of a removed connection or of an ended platform, and batches per message. */
export const REMOVE_AT_ONCE = 200;
export const REMOVE_BATCHES = 20;
/** Platforms whose items one tick fits to their plans. */
export const FIT_AT_ONCE = 200;
/** Items that a search over all platforms answers, and words of it that are looked at. */
export const FOUND_ITEMS = 8;
export const SEARCHED_WORDS = 5;
