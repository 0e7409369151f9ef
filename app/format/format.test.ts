import { expect, test } from "vitest";
import { formatBytes } from "./bytes.ts";
import { dayKey, formatDateKey, formatDay, formatDayTime, formatFullTime, formatTime } from "./dates.ts";
import { formatElapsed, formatHoursMinutes } from "./duration.ts";

const at = Date.parse("2026-11-20T01:14:00Z");

test("sizes keep number and unit together and drop decimals below a megabyte", () => {
  expect(formatBytes(0)).toBe("0\u00a0B");
  expect(formatBytes(412_600)).toBe("413\u00a0kB");
  expect(formatBytes(38_400_000)).toBe("38.4\u00a0MB");
  expect(formatBytes(1_200_000_000)).toBe("1.2\u00a0GB");
  expect(formatBytes(null)).toBe("-");
});

test("dates are printed in the member's time zone, with the year only when it is another one", () => {
  expect(formatDay(at, "Europe/Berlin", at)).toBe("20 Nov");
  expect(formatDay(at, "Europe/Berlin", Date.parse("2027-01-02T00:00:00Z"))).toBe("20 Nov 2026");
  expect(formatTime(at, "Europe/Berlin")).toBe("02:14");
  expect(formatTime(at, "America/New_York")).toBe("20:14");
  expect(formatDayTime(at, "America/New_York", at)).toBe("19 Nov 20:14");
  expect(formatFullTime(at, "Europe/Berlin")).toBe("20 Nov 2026 02:14");
  expect(formatTime(Date.parse("2026-11-19T23:05:00Z"), "Europe/Berlin")).toBe("00:05");
});

test("the day key changes at midnight of the time zone", () => {
  expect(dayKey(Date.parse("2026-11-19T22:59:59Z"), "Europe/Berlin")).toBe("2026-11-19");
  expect(dayKey(Date.parse("2026-11-19T23:00:00Z"), "Europe/Berlin")).toBe("2026-11-20");
  expect(formatDateKey("2026-09-05")).toBe("5 Sep");
  expect(formatDateKey("2026-09-05", { withYear: true })).toBe("5 Sep 2026");
});

test("durations read like a clock on the wall", () => {
  expect(formatHoursMinutes(3 * 3_600_000 + 12 * 60_000)).toBe("3\u00a0h 12\u00a0m");
  expect(formatHoursMinutes(61_000)).toBe("2\u00a0m");
  expect(formatHoursMinutes(-5)).toBe("0\u00a0m");
  expect(formatElapsed(48_900)).toBe("48\u00a0s");
  expect(formatElapsed(108_000)).toBe("1\u00a0m 48\u00a0s");
  expect(formatElapsed(4_800_000)).toBe("1\u00a0h 20\u00a0m");
});
