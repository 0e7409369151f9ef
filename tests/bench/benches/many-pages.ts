import { notionVars } from "#connectors/platforms/notion/simulator/index.ts";
import { openNotionWorld } from "#connectors/platforms/notion/test-world.ts";
import { formatVars } from "#workers/commands/dev-vars.ts";
import { type Bench, check, finding, type Ground, HEAP_MIB, size } from "../bench.ts";
import { type FirstBackup, firstBackup } from "../first-backup.ts";

const BLOCKS_PER_PAGE = 10;

/**
 * P3: the whole engine on a workspace of pages, in a heap as small as production's. The memory of a first backup must not
 * grow with the blocks.
 */
export const manyPages: Bench = {
  id: "P3",
  run: async (ground) => {
    const [fewer, more] = ground.sizes.blocks;
    const few = await backUpBlocks(ground, fewer);
    const many = await backUpBlocks(ground, more);
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

async function backUpBlocks(ground: Ground, blocks: number): Promise<FirstBackup> {
  const notion = await openNotionWorld();
  try {
    const { id: rootId } = await notion.happen("pages", { title: "Large" });
    const pages = blocks / BLOCKS_PER_PAGE;
    await notion.happen("generate", { rootId, pages, blocks: BLOCKS_PER_PAGE });
    await notion.issueToken();
    // The token that the bench's connection holds.
    const grant = notion.simulator.world.state.grants.at(-1)!;
    grant.token = "bench";
    const measured = await firstBackup(ground, {
      name: `${blocks} blocks`,
      vars: formatVars(notionVars(notion.simulator)),
      account: {
        platform: "notion",
        externalId: grant.botId,
        details: notion.connectionDetails as object,
      },
      item: { kind: "workspace", externalId: notion.workspaceId, name: "Large" },
      isRepeated: false,
    });
    check(measured.kinds.page === pages + 1, "every page is in the version");
    return measured;
  } finally {
    await notion.stop();
  }
}
