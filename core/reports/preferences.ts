import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { Clock } from "#core/kernel/clock.ts";
import type { PreferenceOrder, SubscriptionOrder } from "./preference.schema.ts";
import { defaultPreference, type Preference } from "./preference.ts";
import { findReader, savePreferenceRow, saveSwitch } from "./preferences.store.ts";

type Person = { userId: string; timeZone: string };

/** Which reports a person gets. */
export async function getPreferences(
  deps: { control: ControlDatabase },
  person: Person,
): Promise<Preference> {
  const reader = await findReader(deps.control, person.userId);
  return reader?.preference ?? defaultPreference(person.timeZone);
}

/** Saves what Email Reporting shows. The time zone stays as it was when the browser names none. */
export async function savePreferences(
  deps: { control: ControlDatabase; clock: Clock },
  person: Person,
  order: PreferenceOrder,
): Promise<Preference> {
  const before = await getPreferences(deps, person);
  const preference: Preference = {
    isActive: order.isActive,
    frequency: order.frequency,
    reportType: order.reportType,
    reportDay: order.reportDay ?? null,
    timeZone: order.timeZone ?? before.timeZone,
  };
  await savePreferenceRow(deps.control, { userId: person.userId, preference, now: deps.clock.now() });
  return preference;
}

/** Turns the master switch; the rest stays as it was. `wasAlready` = nothing changed. */
export async function setSubscription(
  deps: { control: ControlDatabase; clock: Clock },
  person: Person,
  order: SubscriptionOrder,
): Promise<{ wasAlready: boolean }> {
  const before = await getPreferences(deps, person);
  await saveSwitch(deps.control, {
    userId: person.userId,
    isActive: order.isSubscribed,
    timeZone: order.timeZone,
    rest: before,
    now: deps.clock.now(),
  });
  return { wasAlready: before.isActive === order.isSubscribed };
}
