import fc from "fast-check";
import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { addDays, isTimeZone, localMoment, startOfDay, WEEKDAYS, weekdayOf } from "./local-time.ts";
import { dayToReport, periodLabel, periodNameOn, periodReportedOn } from "./period.ts";
import { preferenceSchema, subscriptionSchema } from "./preference.schema.ts";
import { defaultPreference, type Preference } from "./preference.ts";

const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "America/St_Johns",
  "Asia/Kathmandu",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago",
  "Australia/Lord_Howe",
  "Africa/Cairo",
  "America/Havana",
  "Asia/Beirut",
];
const daily = (timeZone: string): Preference => defaultPreference(timeZone);
const weekly = (timeZone: string, reportDay: Preference["reportDay"]): Preference => ({
  ...daily(timeZone),
  frequency: "weekly",
  reportDay,
});

test("a day starts at local midnight and is as long as clock changes make it", () => {
  const hoursOf = (date: string, zone: string) =>
    (startOfDay(addDays(date, 1), zone) - startOfDay(date, zone)) / HOUR_MS;
  expect(startOfDay("2026-11-20", "Europe/Berlin")).toBe(Date.parse("2026-11-19T23:00:00Z"));
  expect(startOfDay("2026-11-20", "Pacific/Kiritimati")).toBe(Date.parse("2026-11-19T10:00:00Z"));
  expect(startOfDay("2026-11-20", "Asia/Kathmandu")).toBe(Date.parse("2026-11-19T18:15:00Z"));
  expect(hoursOf("2026-03-29", "Europe/Berlin")).toBe(23);
  expect(hoursOf("2026-10-25", "Europe/Berlin")).toBe(25);
  expect(hoursOf("2026-04-05", "Australia/Lord_Howe")).toBe(24.5);
  // Cairo's clocks go from midnight to one, so the day starts at one.
  expect(localMoment(startOfDay("2026-04-24", "Africa/Cairo"), "Africa/Cairo")).toEqual({
    date: "2026-04-24",
    hour: 1,
  });
});

test("days have no gaps or overlaps in any time zone", () => {
  const days = fc.integer({ min: 0, max: 3000 });
  fc.assert(
    fc.property(days, fc.constantFrom(...ZONES), (offset, zone) => {
      const date = addDays("2024-01-01", offset);
      const start = startOfDay(date, zone);
      expect(localMoment(start, zone).date).toBe(date);
      expect(localMoment(start - 1, zone).date).toBe(addDays(date, -1));
    }),
  );
});

test("a daily report covers the previous local day", () => {
  const period = periodReportedOn(daily("America/New_York"), "2026-11-02")!;
  expect(period).toEqual({
    name: "daily:2026-11-01",
    firstDate: "2026-11-01",
    lastDate: "2026-11-01",
    from: Date.parse("2026-11-01T04:00:00Z"),
    to: Date.parse("2026-11-02T05:00:00Z"),
  });
  expect(periodLabel(period)).toMatch(/^Sunday,? 1 November 2026$/);
});

test("a weekly report covers the seven local days before its weekday", () => {
  const preference = weekly("Europe/Berlin", "monday");
  const period = periodReportedOn(preference, "2026-03-30")!;
  expect(new Date(period.from).toISOString()).toBe("2026-03-22T23:00:00.000Z");
  expect(new Date(period.to).toISOString()).toBe("2026-03-29T22:00:00.000Z");
  expect(period.to - period.from).toBe(7 * DAY_MS - HOUR_MS);
  expect(periodLabel(period).replace(/\s/g, " ")).toMatch(/^23 ?– ?29 March 2026$/);
  for (let day = 1; day < 7; day++) {
    expect(periodReportedOn(preference, addDays("2026-03-30", day))).toBeNull();
  }
});

test.each(WEEKDAYS)("a report of every %s is due only on that weekday", (day) => {
  const preference = weekly("UTC", day);
  const dates = Array.from({ length: 7 }, (_, n) => addDays("2026-11-16", n));
  const due = dates.filter((date) => dayToReport(preference, Date.parse(`${date}T12:00:00Z`)) !== null);
  expect(due.map(weekdayOf)).toEqual([day]);
});

test("a report is due from eight local time until midnight, also at clock changes", () => {
  for (const [zone, date] of [
    ["Europe/Berlin", "2026-03-29"],
    ["Europe/Berlin", "2026-10-25"],
    ["America/New_York", "2026-03-08"],
    ["Asia/Kathmandu", "2026-11-20"],
  ] as const) {
    const preference = daily(zone);
    const end = startOfDay(addDays(date, 1), zone);
    for (let at = startOfDay(date, zone); at < end; at += 15 * MINUTE_MS) {
      const expected = localMoment(at, zone).hour >= 8 ? date : null;
      expect(dayToReport(preference, at)).toBe(expected);
    }
  }
});

test("nobody with reports off, or with neither kind, has a due report", () => {
  const noon = Date.parse("2026-11-20T12:00:00Z");
  expect(dayToReport(daily("UTC"), noon)).toBe("2026-11-20");
  expect(dayToReport({ ...daily("UTC"), isActive: false }, noon)).toBeNull();
  expect(dayToReport({ ...daily("UTC"), reportType: null }, noon)).toBeNull();
});

test("both computations of a period's name agree", () => {
  for (const preference of [daily("Asia/Beirut"), weekly("Asia/Beirut", "friday")]) {
    for (const date of ["2026-11-20", "2026-03-27"]) {
      expect(periodReportedOn(preference, date)?.name).toBe(periodNameOn(preference, date));
    }
  }
});

test.each([
  ["Europe/Berlin", true],
  ["UTC", true],
  ["Etc/GMT+5", true],
  ["America/Argentina/Buenos_Aires", true],
  ["Mars/Olympus", false],
  ["+01:00", false],
  ["", false],
  ["Europe/Berlin\n", false],
  ["../etc/passwd", false],
  ["a".repeat(5000), false],
])("the time zone %j is known: %s", (zone, isKnown) => {
  expect(isTimeZone(zone)).toBe(isKnown);
});

const good = { isActive: true, frequency: "daily", reportType: "all" };
test.each([
  ["daily", good, true],
  ["daily with no box ticked", { ...good, reportType: null }, true],
  ["daily that carries a day", { ...good, reportDay: "monday" }, false],
  ["weekly with a day", { ...good, frequency: "weekly", reportDay: "sunday" }, true],
  ["weekly without a day", { ...good, frequency: "weekly" }, false],
  ["weekly with another day", { ...good, frequency: "weekly", reportDay: "MO" }, false],
  ["another frequency", { ...good, frequency: "hourly" }, false],
  ["another type", { ...good, reportType: "none" }, false],
  ["no switch", { frequency: "daily", reportType: "all" }, false],
  ["a member too many", { ...good, userId: "usr_2" }, false],
  ["an unknown time zone", { ...good, timeZone: "Mars/Olympus" }, false],
])("[A-221] [A-222] [A-223] preferences: %s is accepted: %s", (_, preference, isAccepted) => {
  expect(preferenceSchema.safeParse(preference).success).toBe(isAccepted);
});

test("[A-221] [A-222] [A-223] both frequencies, all three kinds and all seven days are accepted", () => {
  const accepts = (change: object) => preferenceSchema.safeParse({ ...good, ...change }).success;
  for (const reportType of ["all", "succeeded", "failed"])
    expect([reportType, accepts({ reportType })]).toEqual([reportType, true]);
  for (const reportDay of ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]) {
    expect([reportDay, accepts({ frequency: "weekly", reportDay })]).toEqual([reportDay, true]);
    expect([reportDay, accepts({ reportDay })]).toEqual([reportDay, false]);
  }
});

test("the switch accepts only a boolean", () => {
  expect(subscriptionSchema.safeParse({ isSubscribed: false, timeZone: "UTC" }).success).toBe(true);
  for (const order of [{}, { isSubscribed: "true" }, { isSubscribed: true, userId: "x" }]) {
    expect(subscriptionSchema.safeParse(order).success).toBe(false);
  }
});
