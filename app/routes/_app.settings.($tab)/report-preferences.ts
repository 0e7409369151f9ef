import type { InputOf } from "#app/api/call-api.ts";
import type { WirePreferences as Wire } from "./wire-types.ts";

type Order = InputOf<"PUT user/email-preferences">["email_preferences"];

/** The form data of Email Reporting; null for values that are not selected. */
export type ReportPreferences = {
  frequency: "daily" | "weekly" | null;
  type: ReportType | null;
  day: NonNullable<Wire["report_day"]> | null;
};
export type ReportType = NonNullable<Wire["report_type"]>;
/** The two checkboxes; both checked means the type `all`. */
export type ReportBox = "succeeded" | "failed";

/** Converts the server's preferences to form data. A daily report has no day. */
export function preferencesOf(wire: Wire): ReportPreferences {
  return {
    frequency: wire.frequency ?? null,
    type: wire.report_type ?? null,
    day: wire.frequency === "weekly" ? (wire.report_day ?? null) : null,
  };
}

/**
 * Sets the frequency (spec ). For daily, the type defaults to all; for weekly, the day defaults to monday.
 */
export function withFrequency(
  preferences: ReportPreferences,
  frequency: "daily" | "weekly",
): ReportPreferences {
  return frequency === "daily"
    ? { frequency, type: preferences.type ?? "all", day: null }
    : { ...preferences, frequency, day: preferences.day ?? "monday" };
}

export function isTicked(type: ReportType | null, box: ReportBox): boolean {
  return type === "all" || type === box;
}

/** Checks or unchecks one of the two boxes (spec ). */
export function withBox(type: ReportType | null, box: ReportBox, ticked: boolean): ReportType | null {
  const other: ReportBox = box === "succeeded" ? "failed" : "succeeded";
  const isOther = isTicked(type, other);
  if (ticked) return isOther ? "all" : box;
  return isOther ? other : null;
}

export function isSame(a: ReportPreferences, b: ReportPreferences): boolean {
  return a.frequency === b.frequency && a.type === b.type && a.day === b.day;
}

/** The request body (spec ): a day only with weekly. */
export function toWire({ frequency, type, day }: ReportPreferences, isActive: boolean): Order {
  const shared = { is_active: isActive, report_type: type };
  return frequency === "weekly"
    ? { ...shared, frequency, report_day: day ?? "monday" }
    : { ...shared, frequency: "daily" };
}
