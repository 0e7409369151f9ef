import type { CoreServices } from "#core/services.ts";

/** Dependencies of a report. */
export type ReportDeps = Pick<
  CoreServices,
  "control" | "ledger" | "clock" | "ids" | "queue" | "connectors" | "settings"
>;
