import { auditStatement } from "#core/audit/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { Clock } from "#core/kernel/clock.ts";
import type { IdSource } from "#core/kernel/ids.ts";
import type { PreferenceOrder, SubscriptionOrder } from "./preference.schema.ts";
import { defaultPreference, type Preference } from "./preference.ts";
import { findReader, type Reader, savePreferenceRow, saveSwitch } from "./preferences.store.ts";

type Person = { userId: string; timeZone: string };
type SaveDeps = { control: ControlDatabase; clock: Clock; ids: IdSource };

/** Returns a person's report preference. */
export async function getPreferences(
  deps: { control: ControlDatabase },
  person: Person,
): Promise<Preference> {
  const reader = await findReader(deps.control, person.userId);
  return reader?.preference ?? defaultPreference(person.timeZone);
}

/**
 * Saves the form of Email Reporting. Keeps the time zone when the browser sends none. The audit trail records a change
 * of reports.
 */
export async function savePreferences(
  deps: SaveDeps,
  person: Person,
  order: PreferenceOrder,
): Promise<Preference> {
  const { userId } = person;
  const reader = await findReader(deps.control, userId);
  const before = reader?.preference ?? defaultPreference(person.timeZone);
  const preference: Preference = {
    isActive: order.isActive,
    frequency: order.frequency,
    reportType: order.reportType,
    reportDay: order.reportDay ?? null,
    timeZone: order.timeZone ?? before.timeZone,
  };
  const save = savePreferenceRow(deps.control, { userId, preference, now: deps.clock.now() });
  await deps.control.batch([save, ...noteOf(deps, reader, preference)]);
  return preference;
}

/** Changes the master switch and nothing else. `wasAlready` = nothing changed. */
export async function setSubscription(
  deps: SaveDeps,
  person: Person,
  order: SubscriptionOrder,
): Promise<{ wasAlready: boolean }> {
  const { userId } = person;
  const reader = await findReader(deps.control, userId);
  const before = reader?.preference ?? defaultPreference(person.timeZone);
  const save = saveSwitch(deps.control, {
    userId,
    isActive: order.isSubscribed,
    timeZone: order.timeZone,
    rest: before,
    now: deps.clock.now(),
  });
  const after = { ...before, isActive: order.isSubscribed };
  await deps.control.batch([save, ...noteOf(deps, reader, after)]);
  return { wasAlready: before.isActive === order.isSubscribed };
}

/** Returns the audit entry for a change of preferences. Empty when the reports stay the same. */
function noteOf(deps: SaveDeps, reader: Reader | null, after: Preference) {
  if (!reader) return [];
  const subject = wordsOf(after);
  if (subject === wordsOf(reader.preference)) return [];
  const { organisationId, userId, name: userName } = reader;
  return [
    auditStatement(deps, { organisationId, userId, userName, action: "change-email-preferences", subject }),
  ];
}

/** Describes the preference for the audit trail: "off", "daily, all results", "weekly on Sunday, failed only". */
function wordsOf({ isActive, frequency, reportType, reportDay }: Preference): string {
  if (!isActive || reportType === null) return "off";
  const when = frequency === "weekly" && reportDay ? `weekly on ${capitalise(reportDay)}` : frequency;
  return `${when}, ${reportType === "all" ? "all results" : `${reportType} only`}`;
}

function capitalise(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
