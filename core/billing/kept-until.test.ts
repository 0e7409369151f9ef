import { expect, test } from "vitest";
import { DAY_MS } from "#core/kernel/clock.ts";
import { keptUntil } from "./kept-until.ts";

const TAKEN = Date.UTC(2026, 10, 3);
const days = (count: number) => TAKEN + count * DAY_MS;
const running = (plan: "trial" | "essential" | "pro") => ({ plan, endsAt: null });

test("a version is kept for the days of the plan of today, so a change of plan counts for older ones too", () => {
  expect(keptUntil(running("trial"), TAKEN, days(1))).toBe(days(30));
  expect(keptUntil(running("essential"), TAKEN, days(1))).toBe(days(30));
  expect(keptUntil(running("pro"), TAKEN, days(29))).toBe(days(90));
});

test("after the end of a plan a version is kept for the days of grace, and until it is removed with all others", () => {
  const ended = { plan: "essential" as const, endsAt: days(20) };
  expect(keptUntil(ended, TAKEN, days(20) - 1)).toBe(days(30));
  expect(keptUntil(ended, TAKEN, days(20))).toBe(days(50));
  expect(keptUntil(ended, TAKEN, days(50) - 1)).toBe(days(50));
  expect(keptUntil(ended, TAKEN, days(50))).toBe(days(57));
  expect(keptUntil(ended, TAKEN, days(139))).toBe(days(146));
  expect(keptUntil(ended, TAKEN, days(140))).toBe(days(30));
  expect(keptUntil({ plan: "pro", endsAt: days(1) }, TAKEN, days(2))).toBe(days(90));
});
