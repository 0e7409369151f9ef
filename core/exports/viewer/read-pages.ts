import type { PageDetail, PageNode, PagesView } from "#connectors/contract/pages-view.ts";
import type { ViewerBlock, ViewerPart } from "./data.ts";
import { DEEPEST_PAGE } from "./limits.ts";
import { readTable } from "./read-table.ts";
import { blocksOf, type FindInZip, filesOf, listsOf, readNotes, some } from "./shape-part.ts";

/**
 * Every page and table from the roots down, each before its children; a table's rows follow it. Pages may also lie in
 * rows, which the tree does not show: their rows link to them.
 */
export async function* readPages(pages: PagesView, find: FindInZip): AsyncGenerator<ViewerPart, void> {
  yield* below(pages, { parentId: null, depth: 0 }, find);
}

async function* below(
  pages: PagesView,
  { parentId, depth }: { parentId: string | null; depth: number },
  find: FindInZip,
): AsyncGenerator<ViewerPart, void> {
  if (depth > DEEPEST_PAGE) return;
  for await (const node of pages.children(parentId, null)) {
    if (node.type === "table") {
      const table = await pages.table(node.id);
      const group = parentId ?? undefined;
      if (table === null) continue;
      for await (const part of readTable(table, { id: node.id, group }, find)) {
        yield part;
        if (part.type === "row" && hasPages(part.blocks ?? []))
          yield* below(pages, { parentId: part.id, depth: depth + 1 }, find);
      }
    } else {
      const page = await pages.page(node.id);
      if (page !== null) yield await pagePart(pages, page, parentId, find);
    }
    if (mayHaveChildren(node)) yield* below(pages, { parentId: node.id, depth: depth + 1 }, find);
  }
}

/** Whether a block is a page or table, or has one inside. */
function hasPages(blocks: readonly ViewerBlock[]): boolean {
  return blocks.some((block) => {
    if (block.type === "columns") return block.columns.some((column) => hasPages(column.blocks));
    if (block.type === "inset" || block.type === "toggle") return hasPages(block.blocks);
    return block.type === "page" || block.type === "table";
  });
}

const mayHaveChildren = ({ childCount }: PageNode) => childCount !== 0;

async function pagePart(
  pages: PagesView,
  page: PageDetail,
  parentId: string | null,
  find: FindInZip,
): Promise<ViewerPart> {
  const { notes, isCut } = await readNotes((range) => pages.comments(page.id, range), find);
  return {
    type: "page",
    id: page.id,
    title: page.title,
    icon: page.icon ?? undefined,
    group: parentId ?? undefined,
    isArchived: page.isArchived ? true : undefined,
    author: page.author ?? undefined,
    at: page.at ?? undefined,
    editedAt: page.editedAt ?? undefined,
    url: page.url ?? undefined,
    ...listsOf({ fields: page.fields }),
    blocks: blocksOf(page.blocks, find),
    files: filesOf(page.files, find),
    notes: some(notes),
    areNotesCut: isCut ? true : undefined,
  };
}
