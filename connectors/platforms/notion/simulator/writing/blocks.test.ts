import { expect, test } from "vitest";
import { type Json, notionForTest } from "../test-world.ts";

const text = (content: string) => [{ text: { content } }];
const paragraph = (content: string, children?: Json[]): Json => ({
  paragraph: { rich_text: text(content), ...(children ? { children } : {}) },
});

async function pageForTest() {
  const world = await notionForTest();
  const { id } = await world.control("pages", { title: "Page" });
  const notion = world.sdk();
  const append = async (children: Json[], more: Json = {}): Promise<Json[]> =>
    (await notion.blocks.children.append({ block_id: id, children, ...more })).results;
  const refusal = async (children: Json[], more: Json = {}): Promise<string> => {
    const body = JSON.stringify({ children, ...more });
    const [status, code, message] = await world.refusalOf(`/blocks/${id}/children`, {
      method: "PATCH",
      body,
    });
    expect([status, code]).toEqual([400, "validation_error"]);
    return message;
  };
  return { ...world, id, notion, append, refusal };
}

/** One block of each type that can be made. */
const EVERY: Json[] = [
  ...[1, 2, 3, 4].map((level) => ({
    [`heading_${level}`]: { rich_text: text("Head"), is_toggleable: true, children: [paragraph("below")] },
  })),
  { paragraph: { rich_text: text("With an icon"), color: "blue_background", icon: { emoji: "🚢" } } },
  ...["bulleted_list_item", "numbered_list_item", "quote", "toggle"].map((type) => ({
    [type]: { rich_text: text(type), children: [paragraph("below")] },
  })),
  { to_do: { rich_text: text("Do"), checked: true } },
  { callout: { rich_text: text("Mind"), icon: { emoji: "⚠️" } } },
  { template: { rich_text: text("Again") } },
  { code: { rich_text: text("select 1"), language: "sql", caption: text("Query") } },
  { equation: { expression: "e = mc^2" } },
  ...[{ divider: {} }, { breadcrumb: {} }, { table_of_contents: { color: "gray" } }],
  { bookmark: { url: "https://example.com/a" } },
  { embed: { url: "https://example.com/b", caption: text("Shown") } },
  ...["image", "video", "pdf", "audio", "file"].map((type) => ({
    [type]: { external: { url: `https://example.com/${type}` }, caption: text(type) },
  })),
  { synced_block: { synced_from: null, children: [paragraph("shared")] } },
  {
    table: {
      ...{ table_width: 2, has_column_header: true },
      children: [{ table_row: { cells: [text("a"), text("b")] } }],
    },
  },
  {
    column_list: {
      children: [
        {
          column: {
            width_ratio: 0.25,
            children: [{ toggle: { rich_text: text("left"), children: [paragraph("deep")] } }],
          },
        },
        { column: { children: [paragraph("right")] } },
      ],
    },
  },
  { tab: { children: [paragraph("First tab", [paragraph("inside")])] } },
];

test("every type of block that can be made is made and read back as written", async () => {
  const { append, notion, id } = await pageForTest();
  const made = await append(EVERY);
  expect(made.map(({ type }) => type)).toEqual(EVERY.map((block) => Object.keys(block)[0]));
  const read: Json[] = (await notion.blocks.children.list({ block_id: id })).results;
  expect(read).toEqual(
    made.map((block) => expect.objectContaining({ id: block.id, [block.type]: block[block.type] })),
  );
  for (const [index, block] of read.entries()) {
    const payload: Json = Object.values(EVERY[index])[0];
    expect([block.type, block.has_children]).toEqual([block.type, payload.children !== undefined]);
    expect(payload.children === undefined || block[block.type].children === undefined).toBe(true);
  }
  const columns: Json[] = (await notion.blocks.children.list({ block_id: read.at(-2).id })).results;
  expect(columns.map(({ column }) => column)).toEqual([{ width_ratio: 0.25 }, {}]);
});

test("blocks stand at the end, or after the block that is told", async () => {
  const { append, notion, id, refusal } = await pageForTest();
  const [first] = await append([paragraph("1"), paragraph("4")]);
  await append([paragraph("2"), paragraph("3")], { after: first.id });
  const { results }: Json = await notion.blocks.children.list({ block_id: id });
  expect(results.map(({ paragraph: own }: Json) => own.rich_text[0].plain_text)).toEqual([
    "1",
    "2",
    "3",
    "4",
  ]);
  expect(await refusal([paragraph("x")], { after: id })).toContain("not a child");
  expect(await refusal([paragraph("x")], { position: { type: "start" } })).toContain("position");
});

test("types that answers have and requests may not make are refused", async () => {
  const { refusal } = await pageForTest();
  for (const block of [
    { child_page: { title: "No" } },
    { child_database: { title: "No" } },
    { link_preview: { url: "https://example.com" } },
    { unsupported: {} },
    { meeting_notes: {} },
    { type: "form", form: {} },
  ])
    expect(await refusal([block])).toContain("body failed validation");
});

test("blocks that need children, and blocks in a place that does not take them, are refused", async () => {
  const { refusal } = await pageForTest();
  const row = { table_row: { cells: [text("a")] } };
  const column = { column: { children: [paragraph("x")] } };
  expect(await refusal([{ table: { table_width: 1 } }])).toContain("table.children");
  expect(await refusal([{ table: { table_width: 2, children: [row] } }])).toContain("match the table width");
  expect(await refusal([{ column_list: { children: [] } }])).toContain("column_list.children");
  expect(await refusal([{ column_list: { children: [{ column: { children: [] } }] } }])).toContain(
    "column.children",
  );
  expect(await refusal([{ tab: { children: [] } }])).toContain("tab.children");
  for (const block of [
    row,
    column,
    { column_list: { children: [paragraph("x")] } },
    { tab: { children: [row] } },
  ])
    expect(await refusal([block])).toContain("cannot stand in");
  expect(
    await refusal([{ toggle: { rich_text: [], children: [{ column_list: { children: [column] } }] } }]),
  ).toContain("so deep");
  expect(await refusal([{ heading_1: { rich_text: [], children: [paragraph("x")] } }])).toContain(
    "toggleable",
  );
  expect(await refusal([{ divider: { children: [] } }])).toContain("children");
  expect(await refusal([{ paragraph: { text: [] } }])).toContain("rich_text should be defined");
  expect(await refusal([{ code: { rich_text: [], language: "cobol" } }])).toContain("language");
});

test("a synced copy shows its original's blocks and takes none of its own", async () => {
  const { append, notion, refusalOf } = await pageForTest();
  const [original] = await append([{ synced_block: { synced_from: null, children: [paragraph("shared")] } }]);
  const [copy] = await append([{ synced_block: { synced_from: { block_id: original.id } } }]);
  const { results }: Json = await notion.blocks.children.list({ block_id: copy.id });
  expect(results[0].paragraph.rich_text[0].plain_text).toBe("shared");
  const body = JSON.stringify({ children: [paragraph("own")] });
  expect((await refusalOf(`/blocks/${copy.id}/children`, { method: "PATCH", body }))[2]).toContain(
    "synced copy",
  );
});

test("a block is changed and trashed; its type, width and original stay", async () => {
  const { append, notion, refusalOf } = await pageForTest();
  const [todo, table] = await append([
    { to_do: { rich_text: text("Do") } },
    { table: { table_width: 1, children: [{ table_row: { cells: [text("a")] } }] } },
  ]);
  const changed: Json = await notion.blocks.update({ block_id: todo.id, to_do: { checked: true } });
  expect(changed.to_do).toMatchObject({ checked: true, rich_text: [{ plain_text: "Do" }] });
  const patch = (id: string, body: Json) =>
    refusalOf(`/blocks/${id}`, { method: "PATCH", body: JSON.stringify(body) });
  expect((await patch(todo.id, { paragraph: { rich_text: [] } }))[2]).toContain("cannot change");
  expect((await patch(table.id, { table: { table_width: 2 } }))[2]).toContain("table_width");
  const row: Json = (await notion.blocks.children.list({ block_id: table.id })).results[0];
  expect((await patch(row.id, { table_row: { cells: [] } }))[2]).toContain("table width");
  const gone: Json = await notion.blocks.delete({ block_id: todo.id });
  expect(gone).toMatchObject({ in_trash: true, archived: true });
  const back: Json = await notion.blocks.update({ block_id: todo.id, in_trash: false });
  expect(back.in_trash).toBe(false);
});

test("text has its marks, links, equations and mentions, and what a mention names must be there", async () => {
  const world = await notionForTest();
  const { control, json, refusalOf, sdk } = world;
  const { id } = await control("pages", { title: "Page" });
  const other = await control("pages", { title: "Other" });
  const table = await control("tables", { title: "Fleet", parentId: other.id });
  const notion = sdk();
  const { results: people } = await json("/users");
  const person = people.find(({ type }: Json) => type === "person");
  const richText: Json[] = [
    {
      text: { content: "bold", link: { url: "https://example.com/" } },
      annotations: { bold: true, color: "red" },
    },
    { equation: { expression: "x^2" } },
    { mention: { user: { id: person.id } } },
    { mention: { page: { id: other.id } } },
    { mention: { database: { id: table.id } } },
    { mention: { date: { start: "2026-12-01", end: "2026-12-02" } } },
    { mention: { date: { start: "2026-12-01T09:00:00", time_zone: "Europe/Stockholm" } } },
    { mention: { template_mention: { template_mention_date: "today" } } },
  ];
  const { results }: Json = await notion.blocks.children.append({
    block_id: id,
    children: [{ paragraph: { rich_text: richText } }],
  });
  const shown = results[0].paragraph.rich_text;
  expect(shown.map(({ plain_text }: Json) => plain_text)).toEqual([
    ...["bold", "x^2", `@${person.name}`, "Other", "Fleet", "2026-12-01 → 2026-12-02"],
    ...["2026-12-01T09:00:00.000", "@Today"],
  ]);
  expect(shown[0]).toMatchObject({ href: "https://example.com/", annotations: { bold: true, color: "red" } });
  const patch = (rich_text: Json) => {
    const body = JSON.stringify({ children: [{ paragraph: { rich_text } }] });
    return refusalOf(`/blocks/${id}/children`, { method: "PATCH", body });
  };
  const absent = "00000000-0000-4000-8000-000000000000";
  for (const mention of [
    { user: { id: absent } },
    { page: { id: absent } },
    { custom_emoji: { id: absent } },
  ])
    expect((await patch([{ mention }]))[1]).toBe("object_not_found");
  for (const wrong of [
    { text: { content: "x", link: { url: "/relative" } } },
    { text: { content: "x" }, annotations: { color: "crimson" } },
    { text: { content: "x" }, colour: "red" },
    { mention: { date: { start: "tomorrow" } } },
    { mention: { date: { start: "2026-12-01T09:00:00Z", time_zone: "Europe/Stockholm" } } },
  ])
    expect((await patch([wrong]))[1]).toBe("validation_error");
});
