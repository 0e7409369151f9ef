import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Bench, check, doRun, type Ground, inWholeParts, protect, size } from "../bench.ts";
import { ownProcesses } from "../own-process.ts";
import { growth, type Peaks } from "../peaks.ts";
import { benchVars } from "../runtime.ts";
import { openWorld, type World } from "../world.ts";
import { drain } from "./zip.ts";

/** The bucket's own calls are what the local runtime needs in any case. */
type Job = "backup" | "ZIP" | "restore" | "bare put" | "bare read";

/** The bucket's own calls that write or read as much as a job. */
const BARE = { backup: "bare put", ZIP: "bare read", restore: "bare read" } as const;

/** P7: the peak memory for a small and a large repository. Each job gets a fresh process. */
export const flatMemory: Bench = {
  id: "P7",
  run: async (ground) => {
    const [small, large] = ground.sizes.memoryBytes;
    const few = await peaksOf(ground, small);
    const many = await peaksOf(ground, large);
    const sizes = `${size(large)} / ${size(small)}`;
    return (["backup", "ZIP", "restore"] as const).flatMap((job) => {
      const [small, large] = [few, many].map((peaks) => ({ peaks: peaks[job], bare: peaks[BARE[job]] }));
      return growth({ id: "P7", in: `a ${job}`, what: sizes, atMost: 1.25 }, { few: small!, many: large! });
    });
  },
};

async function peaksOf(ground: Ground, bytes: number): Promise<Record<Job, Peaks>> {
  const data = join(ground.folder, `data-${bytes}`);
  const alone = ownProcesses(ground, { data, vars: benchVars(ground.host.url) });
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
    const [put] = await alone((runtime) =>
      runtime.call("/store/bare", { world, bytes: inWholeParts(bytes) }),
    );
    const [read] = await alone(async (runtime) => {
      const all = await runtime.call<{ bytes: number }>("/read/bare", version);
      check(all.bytes > bytes, "the length of what was read");
    });
    const peaks = { backup, ZIP, restore, "bare put": put, "bare read": read };
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
