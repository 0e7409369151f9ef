import { expect, test } from "vitest";
import { DAY_MS } from "#core/kernel/clock.ts";
import { judge } from "./judge.ts";

const NOW = Date.UTC(2026, 10, 21);
const ENDED = NOW - 30 * DAY_MS;
const warned = { state: "ahead" as const, endedAt: ENDED, removalAt: NOW, warnedAgainAt: NOW - 2 * DAY_MS };
const over = { endsAt: ENDED, isBuying: false };

test("a removal goes on when its time has come, both warnings are written, and the right is still over", () => {
  expect(judge(warned, over, NOW)).toBe("go");
  expect(judge({ ...warned, removalAt: NOW + 1 }, over, NOW)).toBe("wait");
  expect(judge({ ...warned, warnedAgainAt: null }, over, NOW)).toBe("wait");
});

test("a right that runs stops it, a right without an end as well, and a purchase under way holds it up", () => {
  for (const state of ["ahead", "running"] as const) {
    expect(judge({ ...warned, state }, { ...over, endsAt: NOW + 1 }, NOW)).toBe("stop");
    expect(judge({ ...warned, state }, { ...over, endsAt: null }, NOW)).toBe("stop");
    expect(judge({ ...warned, state }, { ...over, isBuying: true }, NOW)).toBe("wait");
  }
  expect(judge(warned, undefined, NOW)).toBe("stop");
});

test("another end than the announced one stops it before it begins, not afterwards", () => {
  const other = { ...over, endsAt: ENDED + DAY_MS };
  expect(judge(warned, other, NOW)).toBe("stop");
  expect(judge({ ...warned, state: "running" }, other, NOW)).toBe("go");
});
