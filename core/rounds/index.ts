/**
 * What runs today: the round of the day with a cell for each item, the runs at work, the queue, what has ended, and what
 * the providers still allow. Reads only; every function takes the organisation from the member.
 */
export { listRuns } from "./list-runs.ts";
export type * from "./views.ts";
