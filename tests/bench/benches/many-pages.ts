import { rmSync } from "node:fs";
import { join } from "node:path";
import { notionVars } from "#connectors/platforms/notion/simulator/index.ts";
import { openNotionWorld } from "#connectors/platforms/notion/test-world.ts";
import { formatVars } from "#workers/commands/dev-vars.ts";
import { type Bench, check, doRun, finding, type Ground, HEAP_MIB, inWholeParts, size } from "../bench.ts";
import { benchVars, startRuntime } from "../runtime.ts";
import { openWorld } from "../world.ts";

const BLOCKS_PER_PAGE = 10;

/**
 * P3: the whole engine on a workspace of pages, in a heap as small as production's. The memory of a first backup must not
 * grow with the blocks.
 */
export const manyPages: Bench = {
  id: "P3",
  run: async (ground) => {
    const [fewer, more] = ground.sizes.blocks;
    const few = await peakOf(ground, fewer);
    const many = await peakOf(ground, more);
    const ratio = many.peak / few.peak;
    const what = `peak memory of a first backup, ${more} / ${fewer} blocks on pages`;
    const note =
      `all of workerd with a heap of ${HEAP_MIB} MiB and its local bucket and databases: ${size(many.peak)} against ` +
      `${size(few.peak)}; a bare put of as many bytes as were stored: ${size(many.bare)} against ${size(few.bare)}`;
    const bound =
      "a cause that is not known: only the whole process, and the bare put beside it, were measured";
    return [
      finding({ id: "P3", what, note, bound }, { median: ratio, least: ratio, most: ratio }, { atMost: 1.5 }),
    ];
  },
};

/** The peak of a backup, and that of the bucket's own calls alone for as many bytes, each in a process of its own. */
async function peakOf(ground: Ground, blocks: number): Promise<{ peak: number; bare: number }> {
  const notion = await openNotionWorld();
  const data = join(ground.folder, `blocks-${blocks}`);
  const vars = benchVars(ground.host.url) + formatVars(notionVars(notion.simulator));
  try {
    const { id: rootId } = await notion.happen("pages", { title: "Large" });
    const pages = blocks / BLOCKS_PER_PAGE;
    await notion.happen("generate", { rootId, pages, blocks: BLOCKS_PER_PAGE });
    await notion.issueToken();
    // The token that the bench's connection holds.
    const grant = notion.simulator.world.state.grants.at(-1)!;
    grant.token = "bench";
    const open = () => startRuntime({ bundled: ground.bundled, data }, vars, { heapMiB: HEAP_MIB });
    let runtime = await open();
    try {
      const account = {
        platform: "notion",
        externalId: grant.botId,
        details: notion.connectionDetails as object,
      };
      const world = await openWorld(runtime, account);
      const order = { world, kind: "workspace", externalId: notion.workspaceId, name: "Large" };
      const { itemId } = await runtime.call<{ itemId: string }>("/item", order);
      const { snapshotId, milliseconds, counts, bytesStored } = await doRun(runtime, {
        ...{ world, kind: "backup", itemId, isCounted: true },
      });
      const peak = runtime.peakMemory();
      const kinds = await runtime.call<Record<string, number>>("/counts", { world, snapshotId });
      check(kinds.page === pages + 1, "every page is in the version");
      await runtime.stop();
      runtime = await open();
      await runtime.call("/store/bare", { world, bytes: inWholeParts(bytesStored) });
      const bare = runtime.peakMemory();
      ground.say(
        `${blocks} blocks: ${milliseconds.toFixed(0)} ms, ${counts.requests} requests, ${size(bytesStored)} stored, ` +
          `${size(peak)}; bare ${size(bare)}`,
      );
      return { peak, bare };
    } finally {
      await runtime.stop();
    }
  } finally {
    await notion.stop();
    rmSync(data, { recursive: true, force: true });
  }
}
