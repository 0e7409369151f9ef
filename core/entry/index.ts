/** What a page needs before it can query a ledger: the member, and the organisation's connections and subscriptions. */

export { entryForm } from "./entry.schema.ts";
export { type Entry, findEntry, noteUse } from "./find-entry.ts";
export { knownFrom } from "./known-from.ts";
