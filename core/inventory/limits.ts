import { HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";

/** How long a person may take on the provider's consent page. */
export const AUTHORISATION_MS = 15 * MINUTE_MS;
/** Days of the retention ribbon in lists (design "the ledger"). */
export const RIBBON_DAYS = 30;
/** An item without a good backup for this long counts as stale. */
export const STALE_AFTER_MS = 26 * HOUR_MS;
/** Maximum stale items that a list counts; showing 99+ is enough. */
export const STALE_COUNTED = 100;
/** Items looked up at the platform in parallel while adding. */
export const ADD_AT_ONCE = 5;
/** Maximum items added, removed or changed by one call. */
export const ITEMS_PER_CALL = 1_000;
