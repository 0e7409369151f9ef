import { expect, test } from "vitest";
import { DAY_MS } from "#core/kernel/clock.ts";
import { COMMENT_DAYS, dayOf, elapsedDays, LOOK_DAYS, shareOf } from "./shares.ts";

/** Days until a thing at any position had its turn twice, if backups run after these gaps of days. */
function longestWait(total: number, gaps: readonly number[], cycleDays: number): number {
  const last = new Map<number, number>();
  let [day, position, longest] = [0, 0, 0];
  for (let run = 0; day < 10 * cycleDays; run++) {
    const days = gaps[run % gaps.length]!;
    day += days;
    const share = shareOf(total, { days, cycleDays });
    for (let step = 0; step < share; step++) {
      const before = last.get(position);
      if (before !== undefined) longest = Math.max(longest, day - before);
      last.set(position, day);
      position = (position + 1) % total;
    }
  }
  expect(last.size).toBe(total);
  return longest;
}

test("everything is looked at within a week, also when days are missed", () => {
  for (const total of [1, 2, 6, 7, 100, 1_003])
    for (const gaps of [[1], [1, 2], [2], [1, 1, 2, 1]]) {
      expect(longestWait(total, gaps, LOOK_DAYS), `${total} ${gaps}`).toBeLessThanOrEqual(7);
      expect(longestWait(total, gaps, COMMENT_DAYS), `${total} ${gaps}`).toBeLessThanOrEqual(30);
    }
});

test("a second backup on a day has no share, and a long pause makes everything due", () => {
  const today = dayOf(20_000 * DAY_MS + 5);
  expect(elapsedDays(String(today), today)).toBe(0);
  expect(elapsedDays(undefined, today)).toBe(0);
  expect(elapsedDays(String(today + 1), today)).toBe(0);
  expect(elapsedDays("yesterday", today)).toBe(0);
  expect(shareOf(100, { days: 40, cycleDays: LOOK_DAYS })).toBe(100);
});
