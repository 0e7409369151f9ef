/**
 * Cloudflare's list prices in dollars per million, beyond what a plan includes, as of November 2026. Sources:
 * developers.cloudflare.com, pages "pricing" of D1 (`d1/platform/pricing`), R2 (`r2/pricing`), Durable Objects
 * (`durable-objects/platform/pricing`) and Queues (`queues/platform/pricing`).
 */
export const LIST_PRICES = {
  rowsRead: 0.001,
  rowsWritten: 1,
  /** Class A: what writes or lists. Deleting is free. */
  bucketWrites: 4.5,
  /** Class B: what reads. */
  bucketReads: 0.36,
  /** Each call of an object and each alarm. */
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
