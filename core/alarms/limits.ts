import { HOUR_MS } from "#core/kernel/clock.ts";

/** A kind with fewer entries than this comes and goes; nobody is alarmed. */
export const LEAST_ENTRIES = 10;
/** Share of a kind, or of the branches and tags, whose loss alarms. */
export const LOST_SHARE = 0.5;
/** Branches other than the default one may be rewritten in daily work; so many at once are not daily work. */
export const MANY_REWRITTEN = 5;
/** A version of less than this share of the one before has lost something large. */
export const CLIFF_SHARE = 0.4;
/** Below this size a version may shrink as it likes, in bytes. */
export const LEAST_CLIFF_BYTES = 1_000_000;
/** Daily items without a good version for this long are stale. */
export const STALE_AFTER_MS = 26 * HOUR_MS;
/** Items that one hourly look may find stale, in a region: each may have an owner of its own, to tell whom takes five queries. */
export const STALE_AT_ONCE = 100;
/** Silent items that one question lists. */
export const STALE_PAGE = 2_000;
/** Items that one mail names. */
export const MOST_NAMED = 20;
