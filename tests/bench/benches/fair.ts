import { setTimeout as pause } from "node:timers/promises";
import { type Bench, check, finding, type Ground, protect, withRuntime } from "../bench.ts";
import { bundleProduct } from "../bundle-product.ts";
import { makeRepository } from "../repositories.ts";
import type { Runtime } from "../runtime.ts";
import { median, type Pair, ratioOf } from "../statistics.ts";
import type { World } from "../world.ts";

const QUICK_ITEMS = 50;
const POLL_MS = 100;
const TINY = { commits: 1, folders: 1, files: 1, fileBytes: 64, editBytes: 8, refs: 0, bulkBytes: 0 };

/**
 * P13: the product's own queue, consumers and runners back up fifty small repositories of one account, with and without
 * one more whose git host does not respond while they run.
 */
export const fairTurns: Bench = {
  id: "P13",
  run: async (ground) => {
    const product = await bundleProduct(ground, "fair-worker.ts", { hasConsumers: true });
    for (const name of ["quick", "slow"]) await makeRepository(ground.repositories, name, TINY);
    const pairs: Pair[] = [];
    for (let round = 0; round <= ground.sizes.rounds; round++) {
      const theirs = await backUp(product, { hasSlow: false });
      const ours = await backUp(product, { hasSlow: true });
      ground.say(`median of the quick ones: ${ours} ms beside a slow one, ${theirs} ms without`);
      if (round > 0) pairs.push({ ours, theirs });
    }
    const note = `${QUICK_ITEMS} repositories, from the click to the version; the slow one answers nothing until they are through`;
    return [
      finding(
        { id: "P13", what: "median time of quick backups, beside a slow one / without it", note },
        ratioOf(pairs),
        { atMost: 1.2 },
      ),
    ];
  },
};

/** @returns Median time of the quick items, in ms, in a runtime with fresh data */
async function backUp(ground: Ground, { hasSlow }: { hasSlow: boolean }): Promise<number> {
  const release = ground.host.hold("slow");
  return withRuntime(ground, async (runtime, world) => {
    try {
      const slow = await protect(ground, runtime, world, "slow");
      const quick: string[] = [];
      for (let i = 0; i < QUICK_ITEMS; i++) quick.push(await protect(ground, runtime, world, "quick"));
      if (hasSlow) {
        await runtime.call("/together", { world, itemIds: [slow] });
        await untilRuns(runtime, ([run]) => run?.status === "running");
      }
      return await timeOf(runtime, world, { quick, slow: hasSlow ? slow : null });
    } finally {
      release();
    }
  });
}

async function timeOf(
  runtime: Runtime,
  world: World,
  { quick, slow }: { quick: string[]; slow: string | null },
): Promise<number> {
  await runtime.call("/together", { world, itemIds: quick });
  const isQuick = ({ itemId }: Run) => itemId !== slow;
  const isOpen = ({ status }: Run) => status === "queued" || status === "running";
  const runs = await untilRuns(runtime, (all) => all.filter(isQuick).every((run) => !isOpen(run)));
  check(
    runs.filter(isQuick).every(({ status }) => status === "succeeded"),
    "every quick repository has a version",
  );
  const isHeld = slow === null || runs.some((run) => !isQuick(run) && run.status === "running");
  check(isHeld, "the slow one was at work all the time");
  return median(runs.filter(isQuick).map(({ milliseconds }) => milliseconds));
}

type Run = { itemId: string; status: string; milliseconds: number };

async function untilRuns(runtime: Runtime, isSo: (runs: Run[]) => boolean): Promise<Run[]> {
  for (;;) {
    const runs = await runtime.call<Run[]>("/runs");
    if (runs.length > 0 && isSo(runs)) return runs;
    await pause(POLL_MS);
  }
}
