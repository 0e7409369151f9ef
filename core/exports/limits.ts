import { HOUR_MS, SECOND_MS } from "#core/kernel/clock.ts";

/** Lifetime of a ZIP link and a clone URL (spec P-219; at most 24 h). */
export const LINK_LIFE_MS = 24 * HOUR_MS;
/** A checked version up to this size and number of files is exported at once. Larger ones are prepared by a job. */
export const DIRECT_BYTES = 64 * 1024 * 1024;
export const DIRECT_FILES = 2_000;
/** How soon a ZIP job checks again whether its version has been verified. */
export const CHECK_RETRY_MS = 5 * SECOND_MS;
