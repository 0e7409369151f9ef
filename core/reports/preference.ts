import type { Weekday } from "./local-time.ts";

/** Which reports a person wants. */
export type Preference = {
  /** The master switch, `isSubscribedToMail` on the wire. */
  isActive: boolean;
  frequency: "daily" | "weekly";
  /** Null = neither kind, which is nothing. */
  reportType: "all" | "succeeded" | "failed" | null;
  /** Of weekly reports only. */
  reportDay: Weekday | null;
  timeZone: string;
};

/** What counts until somebody chooses: daily, all results, by the organisation's clock. */
export function defaultPreference(timeZone: string): Preference {
  return { isActive: true, frequency: "daily", reportType: "all", reportDay: null, timeZone };
}
