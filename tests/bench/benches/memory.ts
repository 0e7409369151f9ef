import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Bench, check, doRun, type Ground, inWholeParts, protect, size } from "../bench.ts";
import { ownProcesses } from "../own-process.ts";
import { growth, type Peaks } from "../peaks.ts";
import { benchVars, type Runtime } from "../runtime.ts";
import { openWorld, type World } from "../world.ts";
import { drain } from "./zip.ts";

/** The bucket's own calls are what the local runtime needs in any case. */
type Job = "backup" | "ZIP" | "restore" | "bare put" | "bare read" | "bare read of a restore";

/** The bucket's own calls that write or read as much as a job. */
const BARE = { backup: "bare put", ZIP: "bare read", restore: "bare read of a restore" } as const;

/** A restore sends a pack at once, and GitHub takes none above 2 GiB: the product refuses it. A pack is longer than its content. */
const MOST_RESTORED_BYTES = 2 * 1024 ** 3 - 16 * 1024 ** 2;

/** P7: the peak memory for a small and a large repository. Each job gets a fresh process. */
export const flatMemory: Bench = {
  id: "P7",
  run: async (ground) => {
    const [small, large] = ground.sizes.memoryBytes;
    const few = await peaksOf(ground, small);
    const many = await peaksOf(ground, large);
    return (["backup", "ZIP", "restore"] as const).flatMap((job) => {
      const most = job === "restore" ? Math.min(large, MOST_RESTORED_BYTES) : large;
      const sizes = `${size(most)} / ${size(small)}`;
      const [least, largest] = [few, many].map((peaks) => ({ peaks: peaks[job], bare: peaks[BARE[job]] }));
      return growth({ id: "P7", in: `a ${job}`, what: sizes, atMost: 1.25 }, { few: least!, many: largest! });
    });
  },
};

async function peaksOf(ground: Ground, bytes: number): Promise<Record<Job, Peaks>> {
  const data = join(ground.folder, `data-${bytes}`);
  const alone = ownProcesses(ground, { data, vars: benchVars(ground.host.url) });
  try {
    let world: World | null = null;
    const backUp = async (runtime: Runtime, ofBytes: number) => {
      world ??= await openWorld(runtime);
      const itemId = await protect(ground, runtime, world, `generated-${ofBytes}`);
      const { snapshotId } = await doRun(runtime, { world, kind: "backup", itemId });
      return { world, itemId, snapshotId };
    };
    const readBare = (version: { world: World; snapshotId: string }, ofBytes: number) =>
      alone(async (runtime) => {
        const all = await runtime.call<{ bytes: number }>("/read/bare", version);
        check(all.bytes > ofBytes, "the length of what was read");
      });
    const [backup, version] = await alone((runtime) => backUp(runtime, bytes));
    const [ZIP] = await alone(async (runtime) => {
      const { path } = await runtime.call<{ path: string }>("/zip", version);
      check((await drain(runtime.url + path)) > bytes, "the length of the ZIP");
    });
    const restored = Math.min(bytes, MOST_RESTORED_BYTES);
    const smaller = restored === bytes ? version : (await alone((runtime) => backUp(runtime, restored)))[1];
    const [restore] = await alone(async (runtime) => {
      await doRun(runtime, { ...smaller, kind: "restore", name: `sink-${restored}` });
      const sunk = ground.host.lastSunk();
      check(sunk?.isSound === true && sunk.bytes > restored, "the pack that was pushed");
    });
    const [put] = await alone((runtime) =>
      runtime.call("/store/bare", { world, bytes: inWholeParts(bytes) }),
    );
    const [read] = await readBare(version, bytes);
    const [readRestored] = restored === bytes ? [read] : await readBare(smaller, restored);
    const peaks = {
      backup,
      ZIP,
      restore,
      "bare put": put,
      "bare read": read,
      "bare read of a restore": readRestored,
    };
    ground.say(
      `${size(bytes)}: ${Object.entries(peaks)
        .map(([job, peak]) => `${job} ${size(peak.process)} (heap ${size(peak.heap)})`)
        .join(", ")}`,
    );
    return peaks;
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}
