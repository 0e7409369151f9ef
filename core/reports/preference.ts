import type { Weekday } from "./local-time.ts";

/** Which reports a person wants. */
export type Preference = {
  /** The master switch, `isSubscribedToMail` on the wire. */
  isActive: boolean;
  frequency: "daily" | "weekly";
  /** Null = neither kind, i.e. no report. */
  reportType: "all" | "succeeded" | "failed" | null;
  /** Only for weekly reports. */
  reportDay: Weekday | null;
  timeZone: string;
};

/** The preference before a person chooses: daily, all results, in the organisation's time zone. */
export function defaultPreference(timeZone: string): Preference {
  return { isActive: true, frequency: "daily", reportType: "all", reportDay: null, timeZone };
}
