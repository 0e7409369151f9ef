/** The ledger's tables: items, runs, versions, objects. One database per region. */
export * from "./alarms.ts";
export * from "./backup-requests.ts";
export * from "./inventory.ts";
export * from "./moving.ts";
export * from "./numbers.ts";
export * from "./replicas.ts";
export * from "./runs.ts";
export * from "./tallies.ts";
export * from "./versions.ts";
