import fc from "fast-check";
import { expect, test } from "vitest";
import type { PageNode } from "#connectors/contract/pages-view.ts";
import { allOf } from "#tests/harness/all-of.ts";
import { recordPaths } from "../record-paths.ts";
import { exportFiles } from "./export.ts";
import { pageHome, rowHome } from "./homes.ts";
import { openPages } from "./pages-view.ts";
import { id, type TestBlock, TestVersion } from "./test-version.ts";

/** A node and the number of the earlier one above it; the first is at the top. Some titles and places collide. */
const nodes = fc.array(
  fc.record({
    kind: fc.constantFrom("page", "page", "table", "row", "template"),
    above: fc.nat(30),
    title: fc.constantFrom("", "Depot", "Depot", "../../x", "A *b* | c", "日本", "x".repeat(260)),
    isDeep: fc.boolean(),
  }),
  { minLength: 1, maxLength: 25 },
);

type Made = { kind: string; number: number; title: string; viewId: string; path: string; below: TestBlock[] };

/** A workspace in which each node is below an earlier one that can hold it, or at the top. */
function treeOf(
  wanted: readonly { kind: string; above: number; title: string; isDeep: boolean }[],
): TestVersion {
  const made: Made[] = [];
  const version = new TestVersion();
  for (const [at, { kind, above, title, isDeep }] of wanted.entries()) {
    const number = (at + 1) * 10;
    const tables = made.filter((each) => each.kind === "table");
    const holders = made.filter((each) => each.kind !== "table");
    const isRow = (kind === "row" || kind === "template") && tables.length > 0;
    const all = isRow ? tables : holders;
    const holder = all.length === 0 || (!isRow && above % 4 === 0) ? null : all[above % all.length]!;
    const own: Made = {
      kind: isRow || kind === "table" ? kind : "page",
      number,
      title,
      viewId: id(number),
      path: "",
      below: [],
    };
    if (isRow) {
      const source = id(holder!.number + 1);
      own.viewId = `${source}.${id(number)}`;
      own.path = recordPaths.page(
        kind === "row" ? rowHome(source, id(number)).path : recordPaths.templateHome(source, id(number)),
      );
    } else if (own.kind === "table") {
      own.viewId = id(number + 1);
      own.path = recordPaths.database(id(number));
    } else own.path = recordPaths.page(pageHome(id(number)).path);
    made.push(own);
    if (isRow) continue;
    const block = { type: own.kind === "table" ? "child_database" : "child_page", id: id(number) };
    if (holder === null) version.root(own.kind === "table" ? "database" : "page", id(number));
    else holder.below.push(isDeep ? { type: "toggle", text: "t", inside: [block] } : block);
  }
  const aboveOf = new Map(
    made.flatMap((each) => idsIn(each.below).map((below) => [below, each.path] as const)),
  );
  for (const each of made) {
    const above = aboveOf.get(id(each.number));
    const more = above === undefined ? {} : { above };
    if (each.kind === "page") version.page(id(each.number), each.title, each.below, { ...more });
    else if (each.kind === "table") version.table(id(each.number), id(each.number + 1), each.title, {}, more);
    else {
      const kind = each.kind === "row" ? "row" : "template";
      version.row(each.viewId.split(".")[0]!, id(each.number), each.title, {}, { blocks: each.below, kind });
    }
  }
  return version;
}

const idsIn = (blocks: readonly TestBlock[]): string[] =>
  blocks.flatMap((block) => (block.inside ? idsIn(block.inside) : [block.id ?? ""]));

test("lists of any tree have no gaps from any start, every node opens, and the tree reaches all", async () => {
  await fc.assert(
    fc.asyncProperty(nodes, async (wanted) => {
      const snapshot = await treeOf(wanted).take();
      const pages = openPages(snapshot);
      const all = await allOf(pages.all(null));
      expect(all).toHaveLength(pages.pageCount + pages.tableCount);
      expect(new Set(all.map((node) => node.id)).size).toBe(all.length);
      for (const [at, node] of all.entries()) {
        expect((await allOf(pages.all(node.id))).map((each) => each.id)).toEqual(
          all.slice(at + 1).map((each) => each.id),
        );
        const opened =
          node.type === "page" ? await pages.page(node.id) : await (await pages.table(node.id))?.facts();
        expect(opened?.title).toBe(node.title);
      }
      const reached: PageNode[] = [];
      const walk = async (parentId: string | null): Promise<void> => {
        const children = await allOf(pages.children(parentId, null));
        for (const [at, child] of children.entries()) {
          const rest = await allOf(pages.children(parentId, child.id));
          expect(rest.map((each) => each.id)).toEqual(children.slice(at + 1).map((each) => each.id));
          reached.push(child);
          await walk(child.id);
          if (child.type === "page") continue;
          const table = await pages.table(child.id);
          const rows = await allOf(table!.rows(null));
          for (const [index, row] of rows.entries()) {
            const after = await allOf(table!.rows(row.id));
            expect(after.map((each) => each.id)).toEqual(rows.slice(index + 1).map((each) => each.id));
            expect((await table!.row(row.id))?.title).toBe(row.title);
            expect((await pages.page(row.id))?.crumbs.at(-1)).toMatchObject({ id: child.id, type: "table" });
            expect(pages.roleOf({ path: row.path, kind: "row" })).toEqual({ role: "part", id: row.id });
            await walk(row.id);
          }
        }
      };
      await walk(null);
      expect(reached.map((node) => node.id).sort()).toEqual(all.map((node) => node.id).sort());
    }),
    { numRuns: 60 },
  );
});

test("the ZIP of any tree has each page once, under a name that every system takes", async () => {
  await fc.assert(
    fc.asyncProperty(nodes, async (wanted) => {
      const snapshot = await treeOf(wanted).take();
      const paths: string[] = [];
      for await (const { path } of exportFiles(snapshot, { name: "Any" })) paths.push(path);
      expect(new Set(paths).size).toBe(paths.length);
      const { page = 0, template = 0, "data-source": tables = 0 } = snapshot.counts();
      expect(paths.filter((path) => path.endsWith(".csv"))).toHaveLength(tables);
      expect(paths.filter((path) => path.endsWith(".md")).length).toBeGreaterThanOrEqual(page + template);
      for (const path of paths) expect(path).not.toMatch(/(^|\/)\.\.?(\/|$)|[\\:*?"<>|]/);
    }),
    { numRuns: 60 },
  );
});
