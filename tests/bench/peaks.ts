import { check, type Finding, finding, HEAP_MIB, size } from "./bench.ts";
import type { Runtime } from "./runtime.ts";

/** The most memory that was needed while something ran, in bytes, garbage collected each second. */
export type Peaks = {
  /** Objects and buffers of the Worker's own isolate, which has the limit. 0 = what ran was too short for a sample. */
  heap: number;
  /** The whole process of the local runtime, since its start. */
  process: number;
};

/** Samples a fresh runtime while `work` runs on it. */
export async function peaksWhile<T>(runtime: Runtime, work: () => Promise<T>): Promise<[Peaks, T]> {
  const watch = await runtime.watchHeap();
  const value = await work();
  return [{ heap: await watch.stop(), process: runtime.peakMemory() }, value];
}

/** How memory grows from few to many: `in` a job, of `what` sizes. `bare` is what the bucket's own calls need for as many bytes. */
export function growth(
  about: { id: string; in: string; what: string; atMost: number },
  { few, many }: Record<"few" | "many", { peaks: Peaks; bare: Peaks }>,
): Finding[] {
  check(few.peaks.heap > 0 && many.peaks.heap > 0, "the Worker's heap was sampled");
  const line = (what: string, note: string, ratio: number) =>
    finding(
      { id: about.id, what: `${what} ${about.in}, ${about.what}`, note },
      { median: ratio, least: ratio, most: ratio },
      { atMost: about.atMost },
    );
  return [
    line(
      "peak heap of the Worker in",
      `objects and buffers of its isolate, of at most ${HEAP_MIB} MiB: ${size(many.peaks.heap)} against ${size(few.peaks.heap)}`,
      many.peaks.heap / few.peaks.heap,
    ),
    line(
      "peak memory of the whole local runtime in",
      `with its bucket and databases: ${size(many.peaks.process)} against ${size(few.peaks.process)}; the bucket's own ` +
        `calls for as many bytes: ${size(many.bare.process)} against ${size(few.bare.process)}`,
      many.peaks.process / few.peaks.process,
    ),
  ];
}
