import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#core/kernel/clock.ts";

/** Time between opening the storage's consent page and coming back. */
export const CONSENT_MS = 10 * MINUTE_MS;
/** A version whose check has not let its copy go by then is looked at by the clock. */
export const CHECK_PATIENCE_MS = HOUR_MS;
/** While a storage has a trouble one copy tries it; the others look again after this time. */
export const TROUBLE_PAUSE_MS = 15 * MINUTE_MS;
/** Copies of one region that one tick looks at. */
export const DUE_AT_ONCE = 200;
/** Expired copies that one message removes. */
export const REMOVE_AT_ONCE = 50;
/** When removing is tried again after the storage refused, or after a message was lost. */
export const REMOVE_AGAIN_MS = HOUR_MS;
/** Failed copies that the overview names. */
export const FAILED_TOLD = 20;
/** Tokens are renewed this long before they expire. */
export const RENEW_BEFORE_MS = 2 * MINUTE_MS;
/** Longest wait for somebody else's renewal or for the storage inside one call. */
export const PATIENCE_MS = 20 * SECOND_MS;
/** How soon a copy looks again whether its version has been checked. */
export const CHECK_AGAIN_MS = 30 * SECOND_MS;
