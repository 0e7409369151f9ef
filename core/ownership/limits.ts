import { GRACE_MS } from "#core/billing/index.ts";

/** What a closed account held is kept for this long, as after the end of a plan. */
export const KEPT_MS = GRACE_MS;
/** Closed accounts that one tick looks at. */
export const CLOSURES_AT_ONCE = 20;
/** After a closing the payment provider is read until this much later: a purchase may have been under way. */
export const SETTLED_MS = 5 * 60_000;
/** Batches of items, or of audit entries, per message; the next message continues. */
export const BATCHES_PER_SLICE = 20;
/** Audit entries that one statement erases. */
export const ENTRIES_AT_ONCE = 1_000;
