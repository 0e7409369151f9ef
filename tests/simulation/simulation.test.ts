import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { isDeep, sampleOf, sweep, sweepSeed } from "#tests/harness/sample.ts";
import { bundleSimulation } from "./bundle.ts";
import { readPlants } from "./plants.ts";
import { simulate, together } from "./simulate.ts";

/** A deep run takes all of them, ten as whole worlds. */
const SEEDS = Array.from({ length: 200 }, (_, index) => index + 1);
/**
 * A normal run takes two of these, others with each commit. They have been seen to be sound since people act at the same
 * time; the 200 have not been looked at yet.
 */
const LOOKED_AT = Array.from({ length: 44 }, (_, index) => index + 400);
const WORLDS = 2;
const SMALL = { days: 6, items: 5 };
const WHOLE = { days: 35, items: 50 };
const isWhole = (seed: number) => seed % 20 === 0;
/** The longest worlds come first, so that at the end no processor waits for one of them. */
const wholeFirst = (seeds: readonly number[]) =>
  seeds.toSorted((one, other) => Number(isWhole(other)) - Number(isWhole(one)));

test("every world keeps its promises, whatever happens in it, and moves to another ledger", async () => {
  const bundles = await bundleSimulation();
  await sweep(async () => {
    const seeds = isDeep() ? wholeFirst(SEEDS) : sampleOf(LOOKED_AT, WORLDS);
    const digests = new Set<string>();
    await together(seeds, isDeep() ? availableParallelism() : 1, async (seed) => {
      const order = { seed, ...(isDeep() && isWhole(seed) ? WHOLE : SMALL) };
      const { faults, versions, moves, digest } = await simulate(order, bundles);
      const { days, items } = order;
      const again = `npm run simulate -- --seeds 1 --seed ${seed} --days ${days} --items ${items}`;
      expect(faults, `see it again: ${again}`).toEqual([]);
      expect(versions).toBeGreaterThan(order.days);
      // An operator begins in the first day, and quiet days end what was begun.
      expect(moves, `the organisation of world ${seed} never moved`).toBeGreaterThan(0);
      digests.add(digest);
    });
    expect(digests.size, "worlds of different seeds").toBe(seeds.length);
  });
}, 14_400_000);

test("a world is a function of its seed", async () => {
  const bundles = await bundleSimulation();
  const order = { seed: (sweepSeed() % 1_000) + 1_000, days: 1, items: 2 };
  const [one, other] = [await simulate(order, bundles), await simulate(order, bundles)];
  expect(one.events).toBeGreaterThan(1_000);
  expect(one).toEqual(other);
}, 600_000);

test("every planted mistake still fits the product", () => {
  expect(readPlants().length).toBeGreaterThanOrEqual(49);
});
