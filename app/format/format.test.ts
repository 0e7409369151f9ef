import fc from "fast-check";
import { expect, test } from "vitest";
import { bytesText } from "./bytes.ts";
import {
  calendarDateText,
  clockOf,
  dateText,
  dateTimeText,
  dayKey,
  fullDateText,
  fullDateTimeText,
  momentText,
  timeText,
  weekdayText,
} from "./dates.ts";
import { aboutText, agoText, countdownText, durationText } from "./duration.ts";
import { initialsOf } from "./initials.ts";

const AT = Date.parse("2026-11-20T13:02:00Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test("[A-465] sizes are shown in decimal units", () => {
  expect(bytesText(999)).toBe("999\u00a0B");
  expect(bytesText(1000)).toBe("1.0\u00a0KB");
  expect(bytesText(412_600_000)).toBe("412.6\u00a0MB");
  expect(bytesText(1_200_000_000)).toBe("1.2\u00a0GB");
  expect(bytesText(1_500_000_000_000)).toBe("1.5\u00a0TB");
  expect(bytesText(2_500_000_000_000_000)).toBe("2.5\u00a0PB");
  // No unit shows a thousand of itself, not even by rounding.
  expect([999_949, 999_950].map(bytesText)).toEqual(["999.9\u00a0KB", "1.0\u00a0MB"]);
});

test("[A-466] sizes have one decimal, whole bytes none", () => {
  expect(bytesText(2_000_000)).toBe("2.0\u00a0MB");
  expect(bytesText(1_500_000)).toBe("1.5\u00a0MB");
  expect(bytesText(88_149_000)).toBe("88.1\u00a0MB");
  expect(bytesText(0)).toBe("0\u00a0B");
});

test("dates use the organisation's time zone and show the year only if it is another one", () => {
  expect(dateTimeText(AT, "Europe/Berlin", AT)).toBe("20 Nov 14:02");
  expect(dateTimeText(AT, "America/New_York", AT)).toBe("20 Nov 08:02");
  expect(dateText(AT, "UTC", Date.parse("2027-01-02T00:00:00Z"))).toBe("20 Nov 2026");
  expect(fullDateTimeText(AT, "Europe/Berlin")).toBe("20 Nov 2026, 14:02 Europe/Berlin");
  expect(timeText(Date.parse("2026-11-19T23:05:00Z"), "Europe/Berlin")).toBe("00:05");
  expect(calendarDateText("2026-09-05")).toBe("5 Sep");
  expect(momentText(AT, "Europe/Berlin", AT + HOUR)).toBe("14:02");
  expect(momentText(AT, "Europe/Berlin", AT + 24 * HOUR)).toBe("20 Nov 14:02");
});

test("a day's key is its ISO 8601 date in the time zone, and its weekday is that of the same day", () => {
  expect(dayKey(Date.parse("2026-09-05T23:30:00Z"), "Europe/Berlin")).toBe("2026-09-06");
  const instants = fc.integer({ min: Date.parse("1970-01-02"), max: Date.parse("2100-01-01") });
  const zones = fc.constantFrom("UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Kiritimati");
  fc.assert(
    fc.property(instants, zones, (at, timeZone) => {
      const key = dayKey(at, timeZone);
      // Swedish dates are those of ISO 8601.
      expect(key).toBe(new Intl.DateTimeFormat("sv-SE", { timeZone }).format(at));
      const weekday = new Date(key).toLocaleDateString("en-US", { weekday: "short", timeZone: "UTC" });
      expect(weekdayText(at, timeZone)).toBe(weekday);
    }),
  );
});

test("a time has seconds where another one has the same minute", () => {
  const [first, second, other] = [AT + 7_000, AT + 41_000, AT + MINUTE];
  const clock = clockOf([first, second, other, other], "Asia/Kolkata");
  expect([first, second, other].map(clock)).toEqual(["18:32:07", "18:32:41", "18:33"]);
  expect(clock(AT + HOUR)).toBe("19:32");
  expect(fullDateText(AT, "UTC")).toBe("20 Nov 2026");
});

test("durations have at most two units and are never negative", () => {
  expect(durationText(108_000)).toBe("1 m 48 s");
  expect(durationText(5 * HOUR + 12 * MINUTE)).toBe("5 h 12 m");
  expect(durationText(-5)).toBe("0 s");
  expect(agoText(AT, AT + 24 * MINUTE)).toBe("24 m ago");
  expect(agoText(AT, AT + 49 * HOUR)).toBe("2 d ago");
  expect(aboutText(110_000)).toBe("about 2 m");
  expect(aboutText(5_000)).toBe("under 1 m");
});

test("a countdown rounds up to whole minutes, so it reaches zero only at the end", () => {
  expect(countdownText(AT + 5 * HOUR + 11 * MINUTE + 1, AT)).toBe("5 h 12 m");
  expect(countdownText(AT + 1, AT)).toBe("1 m");
  expect(countdownText(AT + HOUR, AT)).toBe("1 h");
});

test("initials of a name", () => {
  expect(["Nora Lindqvist", "Ada", "María José de la Cruz", ""].map(initialsOf)).toEqual([
    "NL",
    "A",
    "MC",
    "",
  ]);
});
