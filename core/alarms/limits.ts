import type { AlarmLimits } from "./views.ts";

/** Kinds with fewer entries raise no alarm for the share that they lost. */
export const LEAST_ENTRIES = 10;
/** The loss within a kind, or among the branches and tags, that raises an alarm, unless the item has limits of its own. */
export const DEFAULT_LIMITS: AlarmLimits = { lostPercent: 50, lostCount: 500 };
/** Rewriting branches other than the default one is part of daily work; this many at once raise an alarm. */
export const MANY_REWRITTEN = 5;
/** A version smaller than this share of the previous one raises an alarm. */
export const CLIFF_SHARE = 0.4;
/** A previous version smaller than this, in bytes, raises no size alarm. */
export const LEAST_CLIFF_BYTES = 1_000_000;
/**
 * Stale items that one hourly pass handles per region. Each may have its own owner, and notifying an owner takes five
 * queries.
 */
export const STALE_AT_ONCE = 100;
/** Lists of items that one query asks for stale ones. */
export const LISTS_AT_ONCE = 1_000;
/** Items that one e-mail names. */
export const MOST_NAMED = 20;
