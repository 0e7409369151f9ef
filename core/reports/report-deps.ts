import type { CoreServices } from "#core/services.ts";

/** What a report needs of the services. */
export type ReportDeps = Pick<
  CoreServices,
  "control" | "ledger" | "clock" | "ids" | "queue" | "connectors" | "settings"
>;
