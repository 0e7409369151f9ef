import { expect, test } from "vitest";
import { dayAt, dayText, nextDay } from "./ribbon-readout.tsx";

test("arrow keys read the neighbouring day, Page keys a week, Home and End the ends", () => {
  const to = (key: string, at: number) => nextDay({ key }, at, 89);
  expect([to("ArrowLeft", 5), to("ArrowRight", 5), to("PageDown", 10), to("PageUp", 10)]).toEqual([
    4, 6, 3, 17,
  ]);
  expect([to("ArrowLeft", 0), to("ArrowRight", 89), to("Home", 40), to("End", 40)]).toEqual([0, 89, 0, 89]);
  expect([to("Tab", 5), to("Enter", 5), to("toString", 5)]).toEqual([null, null, null]);
});

test("a pointer reads the day below it, and the ends beyond the ribbon", () => {
  expect([dayAt(0, 900, 90), dayAt(899, 900, 90), dayAt(455, 900, 90)]).toEqual([0, 89, 45]);
  expect([dayAt(-3, 900, 90), dayAt(2_000, 900, 90), dayAt(5, 0, 90)]).toEqual([0, 89, 89]);
});

test("a day says in words what happened", () => {
  const day = { date: "2026-11-20", isRestored: false } as const;
  expect(dayText({ ...day, state: "good", versions: 2 })).toBe("2 versions");
  expect(dayText({ ...day, state: "failed", versions: 1 })).toBe("1 version, then failed");
  expect(dayText({ ...day, state: "missed", versions: 0, isRestored: true })).toBe("missed, restored");
});
