import { expect, test } from "vitest";
import type { PageNode, PagesView } from "#connectors/contract/pages-view.ts";
import { LEVEL, MOST, readScope, type ScopeItem } from "./scope.ts";

/** A tree of pages by the ids below each id; an id that begins with `t` is a table. */
function pagesOf(tree: Readonly<Record<string, readonly string[]>>): Pick<PagesView, "children"> & {
  read: () => number;
} {
  let read = 0;
  return {
    read: () => read,
    async *children(parentId, after) {
      const below = tree[parentId ?? "root"] ?? [];
      for (const id of below.slice(after === null ? 0 : below.indexOf(after) + 1)) {
        read++;
        const type: PageNode["type"] = id.startsWith("t") ? "table" : "page";
        const path = `pages/${id}/page.json`;
        yield { id, path, type, title: `Page ${id}`, icon: null, isArchived: false, childCount: null };
      }
    },
  };
}

const TOP = { parentId: null, after: null };
const named = (count: number, name = "p") => Array.from({ length: count }, (_, i) => `${name}${i}`);
const countOf = (items: readonly ScopeItem[]): number =>
  items.reduce((sum, { children }) => sum + 1 + countOf(children), 0);

test("a scope has the pages and databases of all levels in the platform's order", async () => {
  const pages = pagesOf({ root: ["a", "b"], a: ["t1", "c"], c: ["d"] });
  const leaf = (id: string, object: string) => ({
    id,
    title: `Page ${id}`,
    object,
    isCut: false,
    children: [],
  });
  expect(await readScope(pages, TOP)).toEqual({
    items: [
      {
        ...leaf("a", "page"),
        children: [leaf("t1", "database"), { ...leaf("c", "page"), children: [leaf("d", "page")] }],
      },
      leaf("b", "page"),
    ],
    next: null,
  });
  expect((await readScope(pages, { parentId: "c", after: null })).items).toEqual([leaf("d", "page")]);
  expect(await readScope(pagesOf({}), TOP)).toEqual({ items: [], next: null });
});

test("a long level goes on after the last item, and a level of exactly the most ends", async () => {
  const pages = pagesOf({ root: named(LEVEL + 1), p0: named(LEVEL, "q") });
  const first = await readScope(pages, TOP);
  expect(first.items.map(({ id }) => id)).toEqual(named(LEVEL));
  expect(first.items[0]).toMatchObject({ isCut: false });
  expect(first.items[0]?.children).toHaveLength(LEVEL);
  const rest = await readScope(pages, { parentId: null, after: first.next });
  expect([rest.items.map(({ id }) => id), rest.next]).toEqual([[`p${LEVEL}`], null]);
});

test("a large tree is cut where the answer is full, and says which pages have more below", async () => {
  const wide = Object.fromEntries(named(100).map((id) => [id, named(150, `${id}-`)]));
  const pages = pagesOf({ root: named(100), ...wide });
  const { items, next } = await readScope(pages, TOP);
  expect([countOf(items), next]).toEqual([MOST, null]);
  expect(items.map(({ isCut, children }) => [isCut, children.length])).toEqual([
    ...Array(6).fill([false, 150]),
    ...Array(94).fill([true, 0]),
  ]);
  // One page is read of each that is cut, to see that there is one.
  expect(pages.read()).toBe(MOST + 94);
});

test("a tree that names itself as its parent ends", async () => {
  const { items } = await readScope(pagesOf({ a: ["b"], b: ["a"] }), { parentId: "a", after: null });
  expect(countOf(items)).toBe(MOST);
});
