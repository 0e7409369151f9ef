/**
 * Cloudflare's list prices in dollars per million, beyond what a plan includes, as of November 2026. From the sources of
 * its documentation (github.com/cloudflare/cloudflare-docs, below `src/content`), which the pages "pricing" of D1, R2,
 * Durable Objects and Queues on developers.cloudflare.com are made of:
 *
 * - `partials/workers/d1-pricing.mdx` at 25a83ced
 * - `docs/r2/pricing.mdx` at 07ec87d4
 * - `partials/workers/durable_objects_pricing.mdx` at 16fe3081
 * - `partials/workers/queues_pricing.mdx` at 96996fd3
 *
 * Cloudflare rounds each kind of use up to the next million once a month for the whole account, which is no part of an item's
 * price.
 */
export const LIST_PRICES = {
  /** Rows that a query scans. */
  rowsRead: 0.001,
  /** Rows of tables and of their indexes. */
  rowsWritten: 1,
  /** Class A: what writes or lists. Deleting is free. */
  bucketWrites: 4.5,
  /** Class B: what reads. */
  bucketReads: 0.36,
  /** Each call of a method of an object, and each alarm. */
  objectCalls: 0.15,
  /** A message is three operations: written, read, deleted. */
  queueOperations: 0.4,
} as const;

/** What an item used on one day, of everything that has a price by number. */
export type DailyUse = Record<keyof typeof LIST_PRICES, number>;

/** Dollars for a month of thirty such days. CPU time, stored bytes and requests of the Worker itself are not in it. */
export function dollarsAMonth(use: DailyUse): number {
  const names = Object.keys(LIST_PRICES) as (keyof DailyUse)[];
  return (30 * names.reduce((sum, name) => sum + use[name] * LIST_PRICES[name], 0)) / 1e6;
}
