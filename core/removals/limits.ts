import { DAY_MS } from "#core/kernel/clock.ts";

/** The owner is warned this long before backups are removed, at least (spec/README "Grace"). */
export const FIRST_WARNING_MS = 14 * DAY_MS;
export const SECOND_WARNING_MS = 2 * DAY_MS;
/** Removals that one tick queues. */
export const REMOVALS_AT_ONCE = 200;
/** Batches of items per message; the next message continues. */
export const BATCHES_PER_SLICE = 20;
