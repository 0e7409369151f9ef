import { rmSync } from "node:fs";
import { join } from "node:path";
import {
  doRun,
  type Ended,
  type Finding,
  finding,
  type Ground,
  HEAP_MIB,
  inWholeParts,
  size,
} from "./bench.ts";
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
  /** Peak memory of workerd, in bytes. */
  peak: number;
  /** Peak of what the Worker's own isolate needs, in bytes. */
  heap: number;
  /** The peak of the bucket's own calls alone for as many bytes, in a process of its own. */
  bare: number;
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
    const watch = await runtime.watchHeap();
    const first = await run();
    const heap = await watch.stop();
    const peak = runtime.peakMemory();
    const { snapshotId, bytesStored } = first;
    const kinds = await runtime.call<Record<string, number>>("/counts", { world, snapshotId });
    let next: Ended | null = null;
    if (source.isRepeated) {
      await runtime.stop();
      runtime = await open();
      next = await run();
    }
    await runtime.stop();
    runtime = await open();
    await runtime.call("/store/bare", { world, bytes: inWholeParts(bytesStored) });
    const bare = runtime.peakMemory();
    ground.say(
      `${source.name}: ${first.milliseconds.toFixed(0)} ms, ${first.counts.requests} requests, ` +
        `${size(bytesStored)} stored, ${size(peak)}, of which the Worker's heap ${size(heap)}; bare ${size(bare)}`,
    );
    return { first, kinds, peak, heap, bare, next };
  } finally {
    await runtime.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

/** How the memory of a first backup grows from few to many of what it reads: `what` says how many. At most 1.5 times. */
export function memoryGrowth(
  about: { id: string; what: string },
  { few, many }: Record<"few" | "many", FirstBackup>,
): Finding[] {
  const line = (what: string, note: string, ratio: number, bound?: string) =>
    finding(
      { id: about.id, what: `${what}, ${about.what}`, note, ...(bound && { bound }) },
      { median: ratio, least: ratio, most: ratio },
      { atMost: 1.5 },
    );
  return [
    line(
      "peak heap of the Worker in a first backup",
      `objects and buffers of its isolate without garbage, of at most ${HEAP_MIB} MiB: ${size(many.heap)} against ${size(few.heap)}`,
      many.heap / few.heap,
    ),
    line(
      "peak memory of the whole local runtime in it",
      `with its bucket and databases: ${size(many.peak)} against ${size(few.peak)}; a bare put of as many bytes as were ` +
        `stored: ${size(many.bare)} against ${size(few.bare)}`,
      many.peak / few.peak,
      "probably the isolates of the local bucket and databases; only the Worker's own is measured apart",
    ),
  ];
}
