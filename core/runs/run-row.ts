import type { run } from "#core/database/ledger/index.ts";

/** A row of the table `run`. */
export type RunRow = typeof run.$inferSelect;

export type RunKind = RunRow["kind"];

export type RunTrigger = RunRow["trigger"];
