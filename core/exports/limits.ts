import { HOUR_MS, SECOND_MS } from "#core/kernel/clock.ts";

/** A ZIP link and a clone address live this long (spec P-219; at most 24 h). */
export const LINK_LIFE_MS = 24 * HOUR_MS;
/** A checked version up to this size and number of files is given out at once; larger ones are prepared by a job. */
export const DIRECT_BYTES = 64 * 1024 * 1024;
export const DIRECT_FILES = 2_000;
/** How soon a ZIP job looks again whether its version has been checked. */
export const CHECK_RETRY_MS = 5 * SECOND_MS;
