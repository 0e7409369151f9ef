import fc from "fast-check";
import { expect, test } from "vitest";
import { DAY_MS } from "#core/kernel/clock.ts";
import { type PrunableObject, planPrune, planRepack } from "./prune.ts";

const now = Date.UTC(2026, 5, 10);
const unused: PrunableObject = {
  id: "obj_a",
  createdAt: now - 3 * DAY_MS,
  markedAt: null,
  isReferenced: false,
  isOfOpenRun: false,
  isOfLiveExport: false,
};

test("an object goes only after two marks a day apart", () => {
  expect(planPrune([unused], now)).toEqual({ mark: ["obj_a"], unmark: [], delete: [] });
  const early = { ...unused, markedAt: now - DAY_MS + 1 };
  expect(planPrune([early], now)).toEqual({ mark: [], unmark: [], delete: [] });
  const late = { ...unused, markedAt: now - DAY_MS };
  expect(planPrune([late], now)).toEqual({ mark: [], unmark: [], delete: ["obj_a"] });
});

test("what anything needs is never deleted, however long it was marked", () => {
  const flag = fc.boolean();
  const object = fc.record({
    id: fc.uuid(),
    createdAt: fc.integer({ min: now - 5 * DAY_MS, max: now + DAY_MS }),
    markedAt: fc.option(fc.integer({ min: now - 5 * DAY_MS, max: now + DAY_MS })),
    isReferenced: flag,
    isOfOpenRun: flag,
    isOfLiveExport: flag,
  });
  fc.assert(
    fc.property(fc.array(object, { maxLength: 20 }), (objects) => {
      const plan = planPrune(objects, now);
      const deleted = new Set(plan.delete);
      for (const each of objects) {
        const isNeeded = each.isReferenced || each.isOfOpenRun || each.isOfLiveExport;
        const isYoung =
          now - each.createdAt < DAY_MS || each.markedAt === null || now - each.markedAt < DAY_MS;
        expect(deleted.has(each.id)).toBe(!isNeeded && !isYoung);
        expect(plan.unmark.includes(each.id)).toBe(isNeeded && each.markedAt !== null);
        expect(plan.mark.includes(each.id)).toBe(!isNeeded && each.markedAt === null);
      }
    }),
  );
});

test("packs of which less than half is alive are worth rewriting, with those that live by chunks alone", () => {
  const packs = [
    { id: "dead", sizeBytes: 100, aliveBytes: 0, recordBytes: 0 },
    { id: "half", sizeBytes: 100, aliveBytes: 50, recordBytes: 50 },
    { id: "chunks", sizeBytes: 100, aliveBytes: 100, recordBytes: 49 },
  ];
  expect(planRepack(packs)).toEqual([]);
  const sparse = { id: "sparse", sizeBytes: 100, aliveBytes: 49, recordBytes: 49 };
  expect(planRepack([...packs, sparse])).toEqual(["chunks", "sparse"]);
});
