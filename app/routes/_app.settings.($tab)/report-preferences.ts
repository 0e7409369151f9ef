import type { WirePreferences as Wire } from "./settings.schema.ts";

/** What the form of Email Reporting holds; null where nothing is chosen. */
export type ReportPreferences = {
  frequency: "daily" | "weekly" | null;
  type: ReportType | null;
  day: NonNullable<Wire["report_day"]> | null;
};
export type ReportType = NonNullable<Wire["report_type"]>;
/** The two boxes; both ticked are the type `all`. */
export type ReportBox = "succeeded" | "failed";

/** The server's preferences as the form holds them. A daily report has no day. */
export function preferencesOf(wire: Wire): ReportPreferences {
  return {
    frequency: wire.frequency ?? null,
    type: wire.report_type ?? null,
    day: wire.frequency === "weekly" ? (wire.report_day ?? null) : null,
  };
}

/** Chooses how often (spec ): daily fills a missing type with all, weekly a missing day with monday. */
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

/** Ticks or unticks one of the two boxes (spec ). */
export function withBox(type: ReportType | null, box: ReportBox, ticked: boolean): ReportType | null {
  const other: ReportBox = box === "succeeded" ? "failed" : "succeeded";
  const isOther = isTicked(type, other);
  if (ticked) return isOther ? "all" : box;
  return isOther ? other : null;
}

export function isSame(a: ReportPreferences, b: ReportPreferences): boolean {
  return a.frequency === b.frequency && a.type === b.type && a.day === b.day;
}

/** What is sent (spec ): a day only with weekly. */
export function toWire(preferences: ReportPreferences, isActive: boolean) {
  return {
    is_active: isActive,
    frequency: preferences.frequency,
    report_type: preferences.type,
    ...(preferences.frequency === "weekly" && preferences.day ? { report_day: preferences.day } : {}),
  };
}
