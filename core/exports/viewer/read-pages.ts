import type { PageDetail, PageNode, PagesView } from "#connectors/contract/pages-view.ts";
import type { ViewerPart } from "./data.ts";
import { DEEPEST_PAGE } from "./limits.ts";
import { readTable } from "./read-table.ts";
import { blocksOf, type FindInZip, filesOf, listsOf, readNotes, some } from "./shape-part.ts";

/** Every page and table from the roots down, each before its children; a table's rows follow it. */
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
      if (table !== null) yield* readTable(table, { id: node.id, group }, find);
    } else {
      const page = await pages.page(node.id);
      if (page !== null) yield await pagePart(pages, page, parentId, find);
    }
    if (mayHaveChildren(node)) yield* below(pages, { parentId: node.id, depth: depth + 1 }, find);
  }
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
