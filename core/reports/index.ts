/**
 * Reports: a daily or weekly mail about backups and restores, for everyone who has not switched it off. The outbox
 * ensures that nobody gets a period twice; the ledgers hold the results.
 */
export { buildReport } from "./build-report.ts";
export { WEEKDAYS } from "./local-time.ts";
export { defaultPreference, type Preference } from "./preference.ts";
export { getPreferences, savePreferences, setSubscription } from "./preferences.ts";
export { sendReports } from "./send-reports.ts";
export { followSubscriptionLink, sealSubscription } from "./subscription-link.ts";
