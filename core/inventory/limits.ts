import { HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";

/** How long a person may take on the provider's consent page. */
export const AUTHORISATION_MS = 15 * MINUTE_MS;
/** Days of the retention ribbon in lists (mock "the ledger"). */
export const RIBBON_DAYS = 30;
/** An item without a good backup for this long counts as stale. */
export const STALE_AFTER_MS = 26 * HOUR_MS;
/** A list counts its stale items up to here; 99+ is enough to know. */
export const STALE_COUNTED = 100;
/** Items looked up at the platform at once while adding. */
export const ADD_AT_ONCE = 5;
/** Items added, removed or changed by one call. */
export const ITEMS_PER_CALL = 1_000;
