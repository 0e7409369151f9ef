import { rmSync } from "node:fs";
import { join } from "node:path";
import { doRun, type Ended, type Ground, HEAP_MIB, inWholeParts, size } from "./bench.ts";
import { type Peaks, peaksWhile } from "./peaks.ts";
import { benchVars, startRuntime } from "./runtime.ts";
import { type Account, openWorld } from "./world.ts";

/** An item at a simulated platform. */
export type Source = {
  /** What the ground's output calls it, e.g. "5000 issues". */
  name: string;
  /** Settings that point the product at the simulator. */
  vars: string;
  account: Account;
  item: { kind: string; externalId: string; name: string };
  /** Whether the item is backed up a second time, without a change, in a process of its own. */
  isRepeated: boolean;
};

export type FirstBackup = {
  first: Ended;
  /** Entries of the version by kind. */
  kinds: Record<string, number>;
  peaks: Peaks;
  /** The peaks of the bucket's own calls alone for as many bytes, in a process of its own. */
  bare: Peaks;
  /** The second backup; null = none was wanted. */
  next: Ended | null;
};

/** Backs an item up for the first time, in a process of its own with a heap as small as production's. */
export async function firstBackup(ground: Ground, source: Source): Promise<FirstBackup> {
  const data = join(ground.folder, source.name.replace(/\W+/g, "-"));
  const vars = benchVars(ground.host.url) + source.vars;
  const open = () => startRuntime({ bundled: ground.bundled, data }, vars, { heapMiB: HEAP_MIB });
  let runtime = await open();
  try {
    const world = await openWorld(runtime, source.account);
    const { itemId } = await runtime.call<{ itemId: string }>("/item", { world, ...source.item });
    const run = () => doRun(runtime, { world, kind: "backup", itemId, isCounted: true });
    const [peaks, first] = await peaksWhile(runtime, run);
    const { snapshotId, bytesStored } = first;
    ground.say(
      `${source.name}: ${first.milliseconds.toFixed(0)} ms, ${first.counts.requests} requests, ` +
        `${size(bytesStored)} stored, ${size(peaks.process)}, of which the Worker's heap ${size(peaks.heap)}`,
    );
    const kinds = await runtime.call<Record<string, number>>("/counts", { world, snapshotId });
    let next: Ended | null = null;
    if (source.isRepeated) {
      await runtime.stop();
      runtime = await open();
      next = await run();
    }
    await runtime.stop();
    runtime = await open();
    const [bare] = await peaksWhile(runtime, () =>
      runtime.call("/store/bare", { world, bytes: inWholeParts(bytesStored) }),
    );
    return { first, kinds, peaks, bare, next };
  } finally {
    await runtime.stop();
    rmSync(data, { recursive: true, force: true });
  }
}
