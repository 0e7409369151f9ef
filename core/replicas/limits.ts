import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#core/kernel/clock.ts";

/** How long a person may take on the storage's consent page. */
export const CONSENT_MS = 10 * MINUTE_MS;
/** How long a copy waits for its version's check before `catchUpReplicas` handles it. */
export const CHECK_PATIENCE_MS = HOUR_MS;
/** While a storage has trouble, one copy tries it and the others wait this long. */
export const TROUBLE_PAUSE_MS = 15 * MINUTE_MS;
/** Maximum copies per region that one tick handles. */
export const DUE_AT_ONCE = 200;
/** Maximum expired copies that one message removes. */
export const REMOVE_AT_ONCE = 50;
/** Delay before a removal is retried after the storage refused or a message was lost. */
export const REMOVE_AGAIN_MS = HOUR_MS;
/** Maximum failed copies that the overview lists. */
export const FAILED_TOLD = 20;
/** Tokens are renewed this long before they expire. */
export const RENEW_BEFORE_MS = 2 * MINUTE_MS;
/** Maximum wait within one call for a renewal by another caller or for the storage. */
export const PATIENCE_MS = 20 * SECOND_MS;
/** Delay before a copy checks again whether its version was verified. */
export const CHECK_AGAIN_MS = 30 * SECOND_MS;
