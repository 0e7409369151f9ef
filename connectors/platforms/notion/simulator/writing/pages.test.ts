import { expect, test } from "vitest";
import { type Json, notionForTest } from "../test-world.ts";

const text = (content: string) => [{ text: { content } }];
const paragraph = (content: string): Json => ({ paragraph: { rich_text: text(content) } });

test("a page is made below another, with blocks, icon and cover, and read back as written", async () => {
  const { control, sdk } = await notionForTest();
  const top = await control("pages", { title: "Top" });
  const notion = sdk();
  const first = await notion.blocks.children.append({
    block_id: top.id,
    children: [paragraph("one"), paragraph("two")],
  });
  const page: Json = await notion.pages.create({
    parent: { page_id: top.id },
    position: { type: "after_block", after_block: { id: first.results[0]!.id } },
    properties: { title: { title: text("Quay") } },
    icon: { type: "emoji", emoji: "⚓" },
    cover: { type: "external", external: { url: "https://pictures.example/quay.png" } },
    children: [paragraph("three")],
  });
  expect(page).toMatchObject({
    icon: { emoji: "⚓" },
    cover: { type: "external" },
    parent: { page_id: top.id },
  });
  const { results } = await notion.blocks.children.list({ block_id: top.id });
  expect(results.map((block: Json) => block.type)).toEqual(["paragraph", "child_page", "paragraph"]);
  const below: Json = await notion.blocks.children.list({ block_id: page.id });
  expect(below.results[0].paragraph.rich_text[0].plain_text).toBe("three");
});

test("a page at the top belongs to what the connection may read", async () => {
  const { sdk, grant, json } = await notionForTest();
  const chosen = grant({ rootIds: [] });
  const page: Json = await sdk(chosen).pages.create({
    parent: { type: "workspace", workspace: true },
    properties: { title: { title: text("Restored") } },
  });
  expect(page.parent).toEqual({ type: "workspace", workspace: true });
  expect((await json(`/pages/${page.id}`, { as: chosen.token })).id).toBe(page.id);
});

test("a page is changed, locked, trashed, refused while it is there, and taken back", async () => {
  const { control, sdk } = await notionForTest();
  const { id } = await control("pages", { title: "One" });
  const notion = sdk();
  const changed: Json = await notion.pages.update({
    page_id: id,
    properties: { title: { title: text("Two") } },
    is_locked: true,
    icon: null,
  });
  expect(changed).toMatchObject({ is_locked: true, icon: null });
  await notion.pages.update({ page_id: id, in_trash: true });
  await expect(notion.pages.update({ page_id: id, is_locked: false })).rejects.toThrow(/archived/);
  await expect(notion.blocks.children.append({ block_id: id, children: [paragraph("x")] })).rejects.toThrow(
    /archived/,
  );
  const back: Json = await notion.pages.update({ page_id: id, in_trash: false });
  expect(back).toMatchObject({ in_trash: false, archived: false });
});

test("a page counts as edited by its own blocks and pages below, and not by their content", async () => {
  const { control, json, sdk } = await notionForTest();
  const top = await control("pages", { title: "Top" });
  const below = await control("pages", { title: "Below", parentId: top.id });
  const notion = sdk();
  const edited = async (id: string) => (await json(`/pages/${id}`)).last_edited_time as string;
  const before = [await edited(top.id), await edited(below.id)];
  await control("clock", { advanceMs: 120_000 });
  const added: Json = await notion.blocks.children.append({
    block_id: below.id,
    children: [paragraph("new")],
  });
  expect(await edited(top.id)).toBe(before[0]);
  const second = await edited(below.id);
  expect(second > before[1]!).toBe(true);
  expect(second).toMatch(/:00\.000Z$/);
  await control("clock", { advanceMs: 120_000 });
  await notion.blocks.children.append({ block_id: added.results[0].id, children: [paragraph("deeper")] });
  expect((await edited(below.id)) > second).toBe(true);
  await notion.comments.create({ parent: { page_id: top.id }, rich_text: text("Said") });
  expect(await edited(top.id)).toBe(before[0]);
  await notion.blocks.delete({ block_id: below.id });
  expect((await edited(top.id)) > before[0]!).toBe(true);
});

test("a page is moved, also into a table and out of it, and not below itself", async () => {
  const { control, sdk } = await notionForTest();
  const [one, two] = [await control("pages", { title: "One" }), await control("pages", { title: "Two" })];
  const notion = sdk();
  const table = await control("tables", { title: "Table", parentId: two.id });
  await notion.pages.move({ page_id: one.id, parent: { page_id: two.id } });
  await expect(notion.pages.move({ page_id: two.id, parent: { page_id: one.id } })).rejects.toThrow(
    /below itself/,
  );
  const row: Json = await notion.pages.move({
    page_id: one.id,
    parent: { data_source_id: table.dataSourceId },
  });
  expect(row.parent).toMatchObject({ type: "data_source_id", data_source_id: table.dataSourceId });
  expect(Object.keys(row.properties).length).toBeGreaterThan(0);
  const page: Json = await notion.pages.move({ page_id: one.id, parent: { page_id: two.id } });
  expect(Object.keys(page.properties)).toEqual(["title"]);
});

test("the content of a page is erased, and written as Markdown at once or by a task", async () => {
  const { control, json, sdk } = await notionForTest();
  const { id } = await control("pages", { title: "One", text: "Old" });
  const notion = sdk();
  await notion.pages.update({ page_id: id, erase_content: true });
  expect((await notion.blocks.children.list({ block_id: id })).results).toEqual([]);
  const content =
    "# Head\n\n- one\n\t- deeper\n- [x] done\n```sql\nselect 1\n```\n---\n**bold** and `code` [link](https://example.com)";
  await notion.pages.updateMarkdown({ page_id: id, type: "insert_content", insert_content: { content } });
  const { results }: Json = await notion.blocks.children.list({ block_id: id });
  expect(results.map(({ type }: Json) => type)).toEqual([
    ...["heading_1", "bulleted_list_item", "to_do", "code", "divider", "paragraph"],
  ]);
  const task: Json = await notion.pages.updateMarkdown({
    ...{ page_id: id, type: "replace_content", replace_content: { new_str: "Only this" }, allow_async: true },
  });
  expect(task.status).toBe("queued");
  expect((await json(`/async_tasks/${task.id}`)).result.markdown).toBe("Only this");
});

test("without the capability, writing is refused", async () => {
  const { control, grant, refusalOf } = await notionForTest();
  const { id } = await control("pages", { title: "One" });
  const reader = grant({ capabilities: ["read_content"] });
  for (const [method, path] of [
    ["POST", "/pages"],
    ["PATCH", `/pages/${id}`],
    ["PATCH", `/blocks/${id}/children`],
    ["DELETE", `/blocks/${id}`],
    ["POST", "/databases"],
    ["POST", "/comments"],
    ["POST", "/file_uploads"],
  ] as const)
    expect((await refusalOf(path, { method, as: reader.token }))[1], path).toBe("restricted_resource");
});

test("what is not covered by the grant is not there", async () => {
  const { control, grant, refusalOf } = await notionForTest();
  const [mine, other] = [
    await control("pages", { title: "Mine" }),
    await control("pages", { title: "Other" }),
  ];
  const { token } = grant({ rootIds: [mine.id] });
  const body = JSON.stringify({ parent: { page_id: other.id }, properties: {} });
  expect((await refusalOf("/pages", { method: "POST", body, as: token })).slice(0, 2)).toEqual([
    404,
    "object_not_found",
  ]);
  const link = JSON.stringify({ children: [{ link_to_page: { page_id: other.id } }] });
  const path = `/blocks/${mine.id}/children`;
  expect((await refusalOf(path, { method: "PATCH", body: link, as: token }))[1]).toBe("object_not_found");
});
