/**
 * When items are due: each item's own time of day, and the schedule of a whole connection, which pauses while the
 * connection is lost.
 */
export { followingDue, longestWait, nextDue } from "./schedule-time.ts";
export { hastenItem, pauseSchedules, resumeSchedules } from "./schedules.store.ts";
