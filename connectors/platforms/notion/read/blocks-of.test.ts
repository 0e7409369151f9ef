import { expect, test } from "vitest";
import type { PageBlock } from "#connectors/contract/page-block.ts";
import { recordPaths } from "../record-paths.ts";
import { blocksOf } from "./blocks-of.ts";
import { pageHome } from "./homes.ts";
import { openReadIo } from "./read-io.ts";
import { id, piece, type TestBlock, TestVersion } from "./test-version.ts";

const HERE = pageHome(id(1)).path;
const crumbs = [{ id: id(9), type: "page" as const, title: "Handbook" }];

async function shown(blocks: TestBlock[], version = new TestVersion()): Promise<PageBlock[]> {
  const snapshot = await version.page(id(1), "Here", blocks).take();
  return await blocksOf({ ...openReadIo(snapshot), crumbs }, HERE);
}

/** The texts of blocks that are nothing but text. */
async function texts(...blocks: TestBlock[]): Promise<unknown[]> {
  return (await shown(blocks)).map((block) => (block.type === "text" ? block.text : block));
}

test("texts keep their form, and signs that people typed stay signs", async () => {
  const facts = {
    rich_text: [
      piece("Line-haul from "),
      piece("Hamburg", { bold: true }),
      piece(" # 1 *is* "),
      piece("late", { italic: true, strikethrough: true }),
      piece(", see "),
      piece("the plan", {}, "https://plan.example/a(b)"),
      piece("\n# next"),
    ],
  };
  expect(await texts({ type: "paragraph", facts })).toEqual([
    "Line-haul from **Hamburg** # 1 \\*is\\* ~~_late_~~, see [the plan](https://plan.example/a%28b%29)  \n\\# next",
  ]);
  expect(
    await texts(
      { type: "heading_1", text: "One" },
      { type: "heading_4", text: "Four" },
      { type: "paragraph", text: "" },
      { type: "divider" },
      { type: "code", text: "a\n```\nb", facts: { language: "plain text", caption: [piece("As typed")] } },
      { type: "equation", facts: { expression: "e = mc^2" } },
    ),
  ).toEqual(["# One", "#### Four", "***", "````\na\n```\nb\n````", "As typed", "```math\ne = mc^2\n```"]);
});

test("items of one list are one text, with the lists inside them", async () => {
  expect(
    await texts(
      { type: "numbered_list_item", text: "First", facts: { list_start_index: 4 } },
      {
        ...{ type: "numbered_list_item", text: "Second" },
        inside: [
          { type: "bulleted_list_item", text: "inner" },
          { type: "to_do", text: "done", facts: { checked: true } },
        ],
      },
      { type: "bulleted_list_item", text: "- not a list in a list" },
      { type: "quote", text: "Quoted", inside: [{ type: "quote", text: "deeper" }] },
    ),
  ).toEqual([
    "4. First\n5. Second\n   - inner\n   - [x] done",
    "- \\- not a list in a list",
    "> Quoted\n>\n> > deeper",
  ]);
});

test("an item with something that a list cannot hold keeps its number, and what is in it stands below", async () => {
  const blocks = await texts(
    { type: "numbered_list_item", text: "First" },
    {
      ...{ type: "numbered_list_item", text: "Second" },
      inside: [{ type: "callout", text: "Mind", facts: { icon: { type: "emoji", emoji: "⚠️" } } }],
    },
    { type: "numbered_list_item", text: "Third" },
  );
  const box = { type: "inset", look: "box", icon: "⚠️", blocks: [{ type: "text", text: "Mind" }] };
  expect(blocks).toEqual([
    "1. First",
    "2. Second",
    { type: "inset", look: "indent", icon: null, blocks: [box] },
    "3. Third",
  ]);
});

test("toggles, columns, tabs and colours are kept", async () => {
  const inside = [{ type: "paragraph", text: "Hidden" }];
  const hidden = [{ type: "text", text: "Hidden" }];
  expect(
    await shown([
      { type: "toggle", text: "More", inside },
      { type: "heading_2", text: "Power", facts: { is_toggleable: true }, inside },
      { type: "paragraph", text: "Red", facts: { color: "red" } },
      { type: "callout", text: "Brown", facts: { color: "brown_background", icon: null } },
      {
        type: "column_list",
        inside: [
          { type: "column", facts: { width_ratio: 0.25 }, inside },
          { type: "column", inside: [] },
        ],
      },
      { type: "tab", inside: [{ type: "paragraph", text: "Morning", inside }] },
    ]),
  ).toEqual([
    { type: "toggle", title: "More", blocks: hidden },
    { type: "toggle", title: "## Power", blocks: hidden },
    { type: "text", text: "Red", tint: { hue: "red", on: "letters" } },
    {
      ...{ type: "inset", look: "box", icon: null, tint: { hue: "orange", on: "ground" } },
      blocks: [{ type: "text", text: "Brown" }],
    },
    {
      type: "columns",
      columns: [
        { share: 0.25, blocks: hidden },
        { share: 0.5, blocks: [] },
      ],
    },
    { type: "toggle", title: "Morning", blocks: hidden },
  ]);
});

test("tables have their header only if they have one, and signs in cells do not end them", async () => {
  const row = (...cells: string[]): TestBlock => ({
    ...{ type: "table_row", facts: { cells: cells.map((cell) => [piece(cell)]) } },
  });
  const inside = [row("a|b", "two\nlines"), row("`c`")];
  const table = (has: boolean): TestBlock => ({
    ...{ type: "table", facts: { has_column_header: has, table_width: 2 }, inside },
  });
  expect(await texts(table(true), table(false))).toEqual([
    "| a\\|b | two lines |\n| --- | --- |\n| \\`c\\` |  |",
    "|  |  |\n| --- | --- |\n| a\\|b | two lines |\n| \\`c\\` |  |",
  ]);
});

test("media are files with their bytes, links to elsewhere, or said to be missing", async () => {
  const version = new TestVersion();
  const path = recordPaths.file(HERE, id(50));
  version.stream(path, "belt.png", "bytes");
  const kept = { type: "file", file: { address: "https://files.example/x/belt%201.png", path } };
  const lost = { type: "file", file: { address: "https://files.example/x/lost.pdf", path: null } };
  const blocks = await shown(
    [
      { type: "image", facts: { ...kept, caption: [piece("The belt")] } },
      { type: "pdf", facts: lost },
      { type: "video", facts: { type: "external", external: { url: "https://video.example/v.mp4?t=1" } } },
      { type: "bookmark", facts: { url: "https://example.com/a_b", caption: [] } },
      { type: "embed", facts: { url: "https://miro.com/app/board/o9J" } },
    ],
    version,
  );
  expect(blocks).toEqual([
    { type: "file", file: { name: "belt 1.png", path, url: null, sizeBytes: 5 } },
    { type: "text", text: "The belt" },
    {
      ...{ type: "absent", url: null },
      reason: "The file “lost.pdf” stood here. Its bytes are not in this version.",
    },
    {
      type: "file",
      file: { name: "v.mp4", path: null, url: "https://video.example/v.mp4?t=1", sizeBytes: null },
    },
    { type: "text", text: "[https\\://example.com/a_b](https://example.com/a_b)" },
    {
      ...{ type: "absent", url: "https://miro.com/app/board/o9J" },
      reason: "Notion shows something of another site here. It hands out the address only.",
    },
  ]);
});

test("links to pages, rows and databases lead to their place in the version, or say what is missing", async () => {
  const version = new TestVersion()
    .page(id(2), "Depots")
    .table(id(3), id(4), "Carriers")
    .row(id(4), id(5), "Nord");
  const blocks = await shown(
    [
      { type: "child_page", id: id(2), facts: { title: "Old title" } },
      { type: "child_page", id: id(7), facts: { title: "Private" } },
      { type: "child_database", id: id(3), facts: { title: "Carriers" } },
      { type: "link_to_page", facts: { type: "page_id", page_id: id(5) } },
      { type: "link_to_page", facts: { type: "database_id", database_id: id(8) } },
      { type: "breadcrumb" },
    ],
    version,
  );
  expect(blocks).toEqual([
    { type: "page", id: id(2), title: "Depots" },
    { type: "absent", reason: "The page “Private” stood here. It is not in this version.", url: null },
    { type: "table", id: id(4), title: "Carriers" },
    { type: "page", id: `${id(4)}.${id(5)}`, title: "Nord" },
    { type: "absent", reason: "The database stood here. It is not in this version.", url: null },
    { type: "text", text: "Handbook" },
  ]);
});

test("a copy of a synced block shows its original on the same page, and never itself without end", async () => {
  const copy = (of: string): TestBlock => ({
    ...{ type: "synced_block", facts: { synced_from: { type: "block_id", block_id: of } } },
  });
  const original: TestBlock = {
    ...{ type: "synced_block", id: id(60), facts: { synced_from: null } },
    inside: [{ type: "paragraph", text: "Shared" }, copy(id(60))],
  };
  const gone = "A copy of a synced block stood here. Its original is in another place of the workspace.";
  const missing = { type: "absent", reason: gone, url: null };
  expect(await texts(original, copy(id(60)), copy(id(61)))).toEqual([
    ...["Shared", "Shared", missing],
    ...["Shared", missing, missing],
  ]);
});

test("the table of contents lists the headings, also those in toggles and columns", async () => {
  const [contents] = await texts(
    { type: "table_of_contents", facts: { color: "gray" } },
    { type: "heading_3", text: "Deep" },
    {
      type: "heading_1",
      text: "Top",
      facts: { is_toggleable: true },
      inside: [{ type: "heading_2", text: "In" }],
    },
  );
  expect(contents).toBe("- Deep\n- Top\n  - In");
});

test("what Notion does not hand out, and types that come later, are said in words", async () => {
  expect(
    await texts(
      { type: "unsupported", facts: { block_type: "form" } },
      { type: "hologram", text: "Its text", inside: [{ type: "paragraph", text: "inside" }] },
      { type: "hologram" },
      {
        type: "meeting_notes",
        facts: { title: [piece("Stand-up")] },
        inside: [{ type: "paragraph", text: "Hi" }],
      },
    ),
  ).toEqual([
    {
      ...{ type: "absent", url: null },
      reason: "A block of the type “form” stood here. Notion does not hand out its content.",
    },
    "Its text",
    { type: "inset", look: "indent", icon: null, blocks: [{ type: "text", text: "inside" }] },
    {
      ...{ type: "absent", url: null },
      reason: "A block of the type “hologram” stood here. It is stored, but this page cannot show it.",
    },
    { type: "toggle", title: "Stand-up", blocks: [{ type: "text", text: "Hi" }] },
  ]);
});

test("a very deep page and a very long one end", async () => {
  let deep: TestBlock = { type: "bulleted_list_item", text: "end" };
  for (let at = 0; at < 600; at += 1) deep = { type: "bulleted_list_item", text: "x", inside: [deep] };
  expect(JSON.stringify(await shown([deep]))).toContain("end");
  const long = Array.from({ length: 10_300 }, () => ({ type: "paragraph", text: "x" }));
  const blocks = await shown(long);
  expect(blocks).toHaveLength(10_001);
  expect(blocks.at(-1)).toMatchObject({ type: "absent" });
});
