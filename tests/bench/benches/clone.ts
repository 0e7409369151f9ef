import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Bench, check, doRun, finding, protect, size, timed, withRuntime } from "../bench.ts";
import { makeRepository } from "../repositories.ts";
import { median, type Pair, ratioOf } from "../statistics.ts";
import { git, isSame, refsOf } from "./git.ts";
import { drain } from "./zip.ts";

const REFS = 3_000;

/** P15: `git clone` from a version's address against the download of its ZIP. */
export const cloneByUrl: Bench = {
  id: "P15",
  run: async (ground) => {
    const { clonedBytes: bulkBytes, rounds } = ground.sizes;
    ground.say("making the repository");
    const path = await makeRepository(ground.repositories, "cloned", {
      ...{ commits: REFS, refs: REFS, bulkBytes },
      ...{ folders: 60, files: 80, fileBytes: 8_000, editBytes: 1_600 },
    });
    const wanted = refsOf(path);
    return withRuntime(ground, async (runtime, world) => {
      const itemId = await protect(ground, runtime, world, "cloned");
      const { snapshotId, bytesRead } = await doRun(runtime, { world, kind: "backup", itemId });
      await runtime.call("/check", { snapshotId });
      const pathOf = async (route: string) =>
        runtime.url + (await runtime.call<{ path: string }>(route, { world, snapshotId })).path;
      const [zip, address] = [await pathOf("/zip"), await pathOf("/clone-link")];
      const pairs: Pair[] = [];
      for (let round = 0; round <= rounds; round++) {
        const target = join(ground.folder, `clone-${round}.git`);
        const [theirs] = await timed(() => drain(zip));
        const [ours] = await timed(() => git(["clone", "-q", "--mirror", address, target]));
        check(isSame(refsOf(target), wanted), "the refs of the clone");
        ground.say(`clone ${ours.toFixed(0)} ms, ZIP ${theirs.toFixed(0)} ms`);
        if (round === 0) await git(["-C", target, "fsck", "--full"]);
        else pairs.push({ ours, theirs });
        rmSync(target, { recursive: true, force: true });
      }
      const seconds = (side: keyof Pair) => (median(pairs.map((pair) => pair[side])) / 1_000).toFixed(2);
      const note = `${size(bytesRead)}, ${wanted.size} refs, ${rounds} rounds; ${seconds("ours")} s against ${seconds("theirs")} s`;
      const bound =
        "git itself, which asks for one object of every ref while it waits for the pack, and then reads every object";
      return [
        finding(
          { id: "P15", what: "`git clone` of a version's address / download of its ZIP", note, bound },
          ratioOf(pairs),
          { atMost: 3 },
        ),
      ];
    });
  },
};
