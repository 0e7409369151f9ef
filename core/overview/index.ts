/** The dashboard: how an organisation's platforms are protected, as counters and a few rows of bounded cost. */
export { getOverview } from "./get-overview.ts";
export type * from "./views.ts";
