import { notionVars } from "#connectors/platforms/notion/simulator/index.ts";
import { openNotionWorld } from "#connectors/platforms/notion/test-world.ts";
import { formatVars } from "#workers/commands/dev-vars.ts";
import { type Bench, check, type Ground } from "../bench.ts";
import { type FirstBackup, firstBackup } from "../first-backup.ts";
import { growth } from "../peaks.ts";

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
    return growth(
      { id: "P3", in: "a first backup", what: `${more} / ${fewer} blocks on pages`, atMost: 1.5 },
      { few, many },
    );
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
