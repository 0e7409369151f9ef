/**
 * Alarms: changes that a person should look at although every run succeeded. Raised when a version lost much compared
 * to the previous one, when history was rewritten, or when an item has had no good version for too long. An alarm keeps
 * the previous version until someone acknowledges it.
 */
export { getAlarmLimits, setAlarmLimits } from "./alarm-limits.ts";
export { acknowledgeAlarms, listItemAlarms } from "./item-alarms.ts";
export type { AlarmLimits, AlarmView } from "./views.ts";
export { watchStaleness } from "./watch-staleness.ts";
export { watchVersion } from "./watch-version.ts";
