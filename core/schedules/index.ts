/**
 * When items are due: the moment of the day that each item has for itself, and the schedule of a whole connection, which
 * pauses while the connection is lost.
 */
export { followingDue, nextDue } from "./schedule-time.ts";
export { pauseSchedules, resumeSchedules } from "./schedules.store.ts";
