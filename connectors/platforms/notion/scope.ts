import type { PageNode, PagesView } from "#connectors/contract/pages-view.ts";

/** A page or database that a version holds. `isCut`: more is directly below it than `children` shows. */
export type ScopeItem = {
  id: string;
  /** Empty = no title. */
  title: string;
  object: "page" | "database";
  isCut: boolean;
  children: ScopeItem[];
};

/** The most that one answer shows of a level, and of all levels together. */
export const LEVEL = 200;
export const MOST = 1_000;

/** Tables are called by the name that people know them by. */
const OBJECTS = { page: "page", table: "database" } as const satisfies Record<PageNode["type"], string>;

/**
 * What a version covers: the pages and databases below one (null = the roots), each with what is below it, without the
 * rows of tables. Reads titles only. A large tree is cut, and goes on with the id of a cut item as `parentId`.
 *
 * @returns `next` = the id of the last item to pass as `after`; null = there are no more on this level
 */
export async function readScope(
  pages: Pick<PagesView, "children">,
  { parentId, after }: { parentId: string | null; after: string | null },
): Promise<{ items: ScopeItem[]; next: string | null }> {
  const { items, isCut } = await readLevel(pages, { parentId, after, room: { left: MOST } });
  return { items, next: isCut ? (items.at(-1)?.id ?? null) : null };
}

async function readLevel(
  pages: Pick<PagesView, "children">,
  { parentId, after, room }: { parentId: string | null; after: string | null; room: { left: number } },
): Promise<{ items: ScopeItem[]; isCut: boolean }> {
  const nodes: PageNode[] = [];
  let isCut = false;
  for await (const node of pages.children(parentId, after)) {
    isCut = nodes.length === LEVEL || room.left === 0;
    if (isCut) break;
    room.left--;
    nodes.push(node);
  }
  const items: ScopeItem[] = [];
  // A level is whole before what is below it takes room.
  for (const { id, title, type, childCount } of nodes) {
    const below =
      childCount === 0
        ? { items: [], isCut: false }
        : await readLevel(pages, { parentId: id, after: null, room });
    items.push({ id, title, object: OBJECTS[type], isCut: below.isCut, children: below.items });
  }
  return { items, isCut };
}
