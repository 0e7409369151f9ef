/**
 * Reports: a mail a day or a week about what was backed up and restored, for everybody who has not switched it off.
 * The outbox decides that nobody gets a period twice; the ledgers say what happened.
 */
export { buildReport } from "./build-report.ts";
export { WEEKDAYS } from "./local-time.ts";
export { defaultPreference, type Preference } from "./preference.ts";
export { getPreferences, savePreferences, setSubscription } from "./preferences.ts";
export { sendReports } from "./send-reports.ts";
export { followSubscriptionLink, sealSubscription } from "./subscription-link.ts";
