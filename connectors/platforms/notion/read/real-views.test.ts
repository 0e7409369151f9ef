import { afterAll, beforeAll, expect, test } from "vitest";
import type { PageBlock } from "#connectors/contract/page-block.ts";
import type { PagesView } from "#connectors/contract/pages-view.ts";
import {
  type MemorySnapshot,
  runVerify,
  takeSnapshot,
  WHOLE_CHECK,
} from "#tests/conformance/memory-snapshot.ts";
import { testSession } from "#tests/conformance/test-session.ts";
import { allOf } from "#tests/harness/all-of.ts";
import { backUp } from "../backup/back-up.ts";
import { inventory } from "../inventory.ts";
import { type NotionTestWorld, openNotionWorld } from "../test-world.ts";
import { exportFiles } from "./export.ts";
import { openPages } from "./pages-view.ts";
import { verify } from "./verify.ts";

let world: NotionTestWorld;
let snapshot: MemorySnapshot;
let pages: PagesView;
beforeAll(async () => {
  world = await openNotionWorld();
  await world.happen("pages", { title: "Quay 7", content: "fleet" });
  await world.happen("shared-pages", { pages: world.tops() });
  const session = testSession({
    ...{ config: world.config, token: await world.issueToken(), accountName: "Nora" },
    connectionDetails: world.connectionDetails ?? null,
  });
  const reference = { kind: "workspace", externalId: world.workspaceId, fullName: "" };
  const item = await inventory.getItem(session, reference);
  snapshot = await takeSnapshot(backUp(session, { item, previous: null, cursor: null }));
  pages = openPages(snapshot);
}, 60_000);
afterAll(() => world.stop());

/** Every block with those inside it. */
const flat = (blocks: readonly PageBlock[]): PageBlock[] =>
  blocks.flatMap((block) => {
    if (block.type === "columns") return [block, ...block.columns.flatMap((column) => flat(column.blocks))];
    return block.type === "inset" || block.type === "toggle" ? [block, ...flat(block.blocks)] : [block];
  });

test("every page of a backup is reached from the roots or a row, and knows the way back", async () => {
  const reached = new Set<string>();
  const lost: string[] = [];
  const visit = async (parentId: string | null, title: string | null): Promise<void> => {
    for await (const node of pages.children(parentId, null)) {
      if (reached.has(node.id)) continue;
      reached.add(node.id);
      const crumbs =
        node.type === "page" ? (await pages.page(node.id))?.crumbs : await pages.crumbsOfTable?.(node.id);
      if ((crumbs?.at(-1)?.id ?? null) !== parentId) lost.push(`${node.title} below ${title}`);
      await visit(node.id, node.title);
      if (node.type === "page") continue;
      const table = await pages.table(node.id);
      for await (const row of table!.rows(null)) await visit(row.id, row.title);
    }
  };
  await visit(null, null);
  expect((await allOf(pages.all(null))).filter(({ id }) => !reached.has(id))).toEqual([]);
  expect(lost).toEqual([]);
});

test("content of every kind is shown, and only what Notion does not hand out is missing", async () => {
  const kinds = new Set<string>();
  const reasons = new Set<string>();
  for (const { id, type } of await allOf(pages.all(null))) {
    if (type !== "page") continue;
    for (const block of flat((await pages.page(id))?.blocks ?? [])) {
      kinds.add(block.type);
      if (block.type === "absent") reasons.add(block.reason);
    }
  }
  expect([...kinds].sort()).toEqual([
    "absent",
    "columns",
    "file",
    "inset",
    "page",
    "table",
    "text",
    "toggle",
  ]);
  expect([...reasons].sort()).toEqual([
    "A block of the type “button” stood here. Notion does not hand out its content.",
    "Notion shows something of another site here. It hands out the address only.",
  ]);
});

test("each property of a table has a cell or is empty", async () => {
  const types = new Set<string>();
  for (const { id, type } of await allOf(pages.all(null))) {
    const table = type === "table" ? await pages.table(id) : null;
    if (table === null) continue;
    for await (const row of table.rows(null))
      for (const cell of Object.values(row.cells)) types.add(cell.type);
  }
  expect([...types].sort()).toEqual(["check", "date", "files", "number", "rows", "tags", "text"]);
});

test("a version of a backup is sound, and all of it is in its ZIP", async () => {
  expect((await runVerify(snapshot, verify(snapshot, WHOLE_CHECK))).problems).toEqual([]);
  const entries: string[] = [];
  for await (const file of exportFiles(snapshot, { name: "Meridian" })) {
    if (file.source === "entry") entries.push(file.entry);
  }
  expect(entries.sort()).toEqual([...snapshot.entries.keys()].filter((path) => path !== "state.json").sort());
});
