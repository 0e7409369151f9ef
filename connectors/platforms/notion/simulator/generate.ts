import { MINUTE_MS } from "#core/kernel/clock.ts";
import { type SeedKit, seedKit } from "./seed-kit.ts";
import type { NotionWorld } from "./state.ts";
import { now, workspaceOf } from "./store.ts";

/** How much to generate below a page. */
export type GenerateOrder = {
  /** Pages, ten below each of the first ones, so that the tree is deep and wide. */
  pages: number;
  /** Blocks of each page; every fifth has a child. */
  blocks: number;
  /** Rows of one table; fifty share each minute of creation. */
  rows: number;
  /** Blocks of each row. */
  rowBlocks: number;
  /** Comments, spread over the pages. */
  comments: number;
  /** Files, spread over the pages. */
  files: number;
  fileBytes: number;
};

const SENTENCE = "The crane at the eastern quay stops when the wind turns, and nobody knows why. ";
const ROWS_PER_MINUTE = 50;

/**
 * Fills a page with large sets, long before now.
 * @returns what was made: ids of pages, and of the table's data source
 */
export function generate(
  world: NotionWorld,
  { rootId, by }: { rootId: string; by: string },
  order: GenerateOrder,
): { pageIds: string[]; dataSourceId: string | null } {
  const steps = order.pages * (1 + order.blocks * 2) + order.comments + order.files + order.rows;
  const kit = seedKit(world, workspaceOf(world, rootId), now(world) - (steps + 10_000) * MINUTE_MS);
  const pageIds: string[] = [];
  for (let index = 0; index < order.pages; index += 1) {
    const above = index < 10 ? rootId : pageIds[Math.floor(index / 10) - 1]!;
    const page = kit.page(by, above, `Page ${index + 1}`);
    writeBlocks(kit, by, page.id, order.blocks);
    pageIds.push(page.id);
  }
  const placeOf = (index: number) => pageIds[index % Math.max(1, pageIds.length)] ?? rootId;
  for (let index = 0; index < order.comments; index += 1)
    kit.comment(by, placeOf(index), `Comment ${index + 1}: ${SENTENCE}`);
  for (let index = 0; index < order.files; index += 1) {
    const bytes = new Uint8Array(order.fileBytes).fill(index % 251);
    const file = kit.file(`scan-${index + 1}.bin`, "application/octet-stream", bytes);
    kit.block(by, placeOf(index), "file", { ...file, caption: [], name: `scan-${index + 1}.bin` });
  }
  const dataSourceId = order.rows === 0 ? null : generateRows(kit, { rootId, by }, order);
  return { pageIds, dataSourceId };
}

function writeBlocks(kit: SeedKit, by: string, pageId: string, count: number): void {
  let last = pageId;
  for (let index = 0; index < count; index += 1) {
    const isBelow = index % 5 === 4;
    const type = isBelow ? "paragraph" : "bulleted_list_item";
    const block = kit.write(by, isBelow ? last : pageId, type, `${index + 1}. ${SENTENCE}`);
    if (!isBelow) last = block.id;
  }
}

function generateRows(
  kit: SeedKit,
  { rootId, by }: { rootId: string; by: string },
  order: GenerateOrder,
): string {
  const { database, source } = kit.database(by, rootId, "Generated table", {
    title: { name: "Name", type: "title" },
    numb: { name: "Number", type: "number", number: { format: "number" } },
    text: { name: "Text", type: "rich_text" },
  });
  kit.view(by, database, source.id, { name: "Table", type: "table", configuration: { type: "table" } });
  let minute = kit.next();
  for (let index = 0; index < order.rows; index += 1) {
    const row = kit.row(by, source, { title: `Row ${index + 1}`, numb: index, text: SENTENCE });
    if (index % ROWS_PER_MINUTE === 0) minute = kit.next();
    writeBlocks(kit, by, row.id, order.rowBlocks);
    Object.assign(row, { createdAt: minute, editedAt: minute });
  }
  return source.id;
}
