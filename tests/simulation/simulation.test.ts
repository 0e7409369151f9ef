import { expect, test } from "vitest";
import { isDeep, sampleOf, sweep, sweepSeed } from "#tests/harness/sample.ts";
import { bundleSimulation } from "./bundle.ts";
import { simulate } from "./simulate.ts";

/** A deep run takes all of them, and whole worlds. */
const SEEDS = Array.from({ length: 200 }, (_, index) => index + 1);
const A_RUN_TAKES = 3;
const SMALL = { days: 6, items: 5 };
const WHOLE = { days: 35, items: 50 };

test("every world keeps its promises, whatever happens in it", async () => {
  const bundles = await bundleSimulation();
  await sweep(async () => {
    for (const seed of sampleOf(SEEDS, isDeep() ? SEEDS.length : A_RUN_TAKES)) {
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
