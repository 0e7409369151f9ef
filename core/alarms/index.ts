/**
 * Alarms: what a person should look at although every run succeeded. A version that lost much against the one before,
 * a history that was rewritten, an item without a good version for too long. An alarm keeps the version before it until
 * somebody has acknowledged it.
 */
export { acknowledgeAlarms, listItemAlarms } from "./item-alarms.ts";
export type { AlarmView } from "./views.ts";
export { watchStaleness } from "./watch-staleness.ts";
export { watchVersion } from "./watch-version.ts";
