import { type Ground, HEAP_MIB } from "./bench.ts";
import { type Peaks, peaksWhile } from "./peaks.ts";
import { type Runtime, startRuntime } from "./runtime.ts";

/** Does some work in a process of its own with a heap as small as production's, over the given data, and samples it. */
export type Alone = <T>(work: (runtime: Runtime) => Promise<T>) => Promise<[Peaks, T]>;

/** @param from The folder of bucket and databases, and the settings of the product. */
export function ownProcesses(ground: Ground, { data, vars }: { data: string; vars: string }): Alone {
  return async (work) => {
    const runtime = await startRuntime({ bundled: ground.bundled, data }, vars, { heapMiB: HEAP_MIB });
    try {
      return await peaksWhile(runtime, () => work(runtime));
    } finally {
      await runtime.stop();
    }
  };
}
