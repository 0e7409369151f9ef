import fc from "fast-check";
import { expect, test } from "vitest";
import { rankBetween, rankOfNumber } from "./ids.ts";

test("a rank between two others compares between them, however often it is asked for in the same place", () => {
  const place = fc.record({ at: fc.nat(), count: fc.integer({ min: 1, max: 12 }) });
  fc.assert(
    fc.property(fc.array(place, { maxLength: 12 }), (places) => {
      const ranks = [1, 2, 3, 35, 36, 37, 1_295, 1_296].map(rankOfNumber);
      for (const { at, count } of places) {
        const index = at % (ranks.length + 1);
        for (let step = 0; step < count; step += 1) {
          ranks.splice(index, 0, rankBetween(ranks[index - 1] ?? null, ranks[index] ?? null));
        }
      }
      expect(new Set(ranks).size).toBe(ranks.length);
      expect([...ranks].sort()).toEqual(ranks);
    }),
  );
});
