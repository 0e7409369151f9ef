import { expect, test } from "vitest";
import { HOUR_MS } from "#core/kernel/clock.ts";
import { dayBounds } from "./day-bounds.ts";

const hoursOf = (at: string, timeZone: string) => {
  const { start, end } = dayBounds(Date.parse(at), timeZone);
  return [new Date(start).toISOString(), (end - start) / HOUR_MS];
};

test("a day begins at midnight in the person's time zone", () => {
  expect(hoursOf("2026-11-20T14:29:31Z", "UTC")).toEqual(["2026-11-20T00:00:00.000Z", 24]);
  expect(hoursOf("2026-11-20T23:30:00Z", "Europe/Oslo")).toEqual(["2026-11-20T23:00:00.000Z", 24]);
  expect(hoursOf("2026-11-20T03:00:00Z", "America/New_York")).toEqual(["2026-11-19T05:00:00.000Z", 24]);
  expect(hoursOf("2026-11-20T20:00:00Z", "Asia/Kathmandu")).toEqual(["2026-11-20T18:15:00.000Z", 24]);
});

test("a day on which the clocks change is shorter or longer", () => {
  expect(hoursOf("2026-03-29T18:00:00Z", "Europe/Oslo")).toEqual(["2026-03-28T23:00:00.000Z", 23]);
  expect(hoursOf("2026-10-25T18:00:00Z", "Europe/Oslo")).toEqual(["2026-10-24T22:00:00.000Z", 25]);
});

test("the bounds belong to each other at their own edges", () => {
  const { start, end } = dayBounds(Date.parse("2026-11-20T12:00:00Z"), "Europe/Oslo");
  expect(dayBounds(start, "Europe/Oslo").start).toBe(start);
  expect(dayBounds(end - 1, "Europe/Oslo").start).toBe(start);
  expect(dayBounds(end, "Europe/Oslo").start).toBe(end);
});
