import { auditStatement } from "#core/audit/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { Clock } from "#core/kernel/clock.ts";
import type { IdSource } from "#core/kernel/ids.ts";
import type { PreferenceOrder, SubscriptionOrder } from "./preference.schema.ts";
import { defaultPreference, type Preference } from "./preference.ts";
import { findReader, type Reader, savePreferenceRow, saveSwitch } from "./preferences.store.ts";

type Person = { userId: string; timeZone: string };
type SaveDeps = { control: ControlDatabase; clock: Clock; ids: IdSource };

/** Which reports a person gets. */
export async function getPreferences(
  deps: { control: ControlDatabase },
  person: Person,
): Promise<Preference> {
  const reader = await findReader(deps.control, person.userId);
  return reader?.preference ?? defaultPreference(person.timeZone);
}

/**
 * Saves what Email Reporting shows. The time zone stays as it was when the browser names none. The trail notes what
 * becomes another report, or none.
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

/** Turns the master switch; the rest stays as it was. `wasAlready` = nothing changed. */
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

/** The entry of the trail for a change of preferences; none where the reports stay what they were. */
function noteOf(deps: SaveDeps, reader: Reader | null, after: Preference) {
  if (!reader) return [];
  const subject = wordsOf(after);
  if (subject === wordsOf(reader.preference)) return [];
  const { organisationId, userId, name: userName } = reader;
  return [
    auditStatement(deps, { organisationId, userId, userName, action: "change-email-preferences", subject }),
  ];
}

/** Which reports those are, as the trail tells it: "off", "daily, all results", "weekly on Sunday, failed only". */
function wordsOf({ isActive, frequency, reportType, reportDay }: Preference): string {
  if (!isActive || reportType === null) return "off";
  const when = frequency === "weekly" && reportDay ? `weekly on ${capitalise(reportDay)}` : frequency;
  return `${when}, ${reportType === "all" ? "all results" : `${reportType} only`}`;
}

function capitalise(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
