import { rmSync } from "node:fs";
import { join } from "node:path";
import {
  type Bench,
  check,
  digits,
  doRun,
  finding,
  type Ground,
  HEAP_MIB,
  inWholeParts,
  protect,
  size,
} from "../bench.ts";
import { benchVars, type Runtime, startRuntime } from "../runtime.ts";
import { openWorld, type World } from "../world.ts";
import { drain } from "./zip.ts";

type Peaks = Record<"backup" | "ZIP" | "restore", number> & {
  /** The bucket's own calls alone, writing and reading: what the local runtime needs in any case. */
  bare: number;
  bareRead: number;
};
const JOBS = ["backup", "ZIP", "restore"] as const;

/** P7: workerd's peak memory for a small and a large repository. Each job gets a fresh process. */
export const flatMemory: Bench = {
  id: "P7",
  run: async (ground) => {
    const [small, large] = ground.sizes.memoryBytes;
    const few = await peaksOf(ground, small);
    const many = await peaksOf(ground, large);
    return JOBS.map((job) => {
      const ratio = many[job] / few[job];
      const [bare, does] =
        job === "backup"
          ? (["bare", "multipart put of the same length"] as const)
          : (["bareRead", "read of the same objects in windows"] as const);
      const note =
        `all of workerd with its local bucket and databases: ${size(many[job])} against ${size(few[job])}; a bare ` +
        `${does}: ${size(many[bare])} against ${size(few[bare])}, ${digits(many[bare] / few[bare])}`;
      const bound = "the local bucket, which is inside the same process and grows without us as well";
      const what = `peak memory of a ${job}, ${size(large)} / ${size(small)}`;
      return finding(
        { id: "P7", what, note, bound },
        { median: ratio, least: ratio, most: ratio },
        { atMost: 1.25 },
      );
    });
  },
};

async function peaksOf(ground: Ground, bytes: number): Promise<Peaks> {
  const data = join(ground.folder, `data-${bytes}`);
  const vars = benchVars(ground.host.url);
  const alone = async <T>(work: (runtime: Runtime) => Promise<T>): Promise<[number, T]> => {
    const runtime = await startRuntime({ bundled: ground.bundled, data }, vars, { heapMiB: HEAP_MIB });
    try {
      const value = await work(runtime);
      return [runtime.peakMemory(), value];
    } finally {
      await runtime.stop();
    }
  };
  try {
    let world: World | null = null;
    const [backup, version] = await alone(async (runtime) => {
      world = await openWorld(runtime);
      const itemId = await protect(ground, runtime, world, `generated-${bytes}`);
      const { snapshotId } = await doRun(runtime, { world, kind: "backup", itemId });
      return { world, itemId, snapshotId };
    });
    const [ZIP] = await alone(async (runtime) => {
      const { path } = await runtime.call<{ path: string }>("/zip", version);
      check((await drain(runtime.url + path)) > bytes, "the length of the ZIP");
    });
    const [restore] = await alone(async (runtime) => {
      await doRun(runtime, { ...version, kind: "restore", name: `sink-${bytes}` });
      const sunk = ground.host.lastSunk();
      check(sunk?.isSound === true && sunk.bytes > bytes, "the pack that was pushed");
    });
    const [bare] = await alone((runtime) =>
      runtime.call("/store/bare", { world, bytes: inWholeParts(bytes) }),
    );
    const [bareRead] = await alone(async (runtime) => {
      const read = await runtime.call<{ bytes: number }>("/read/bare", version);
      check(read.bytes > bytes, "the length of what was read");
    });
    const peaks = { backup, ZIP, restore, bare, bareRead };
    ground.say(
      `${size(bytes)}: ${Object.entries(peaks)
        .map(([job, peak]) => `${job} ${size(peak)}`)
        .join(", ")}`,
    );
    return peaks;
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}
