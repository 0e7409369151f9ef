/** Which ledger of a region holds an organisation. Ids name the region, never the ledger, so that it can change. */

export { measureShards } from "./measure-shards.ts";
export { openLedgers } from "./open-ledgers.ts";
