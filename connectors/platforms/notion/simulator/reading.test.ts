import { collectPaginatedAPI, isFullPage, iterateAllDataSourceRows } from "@notionhq/client";
import { expect, test } from "vitest";
import { type Json, notionForTest } from "./test-world.ts";

test("Notion's own client walks the whole demo, and every answer fits the contract", async () => {
  const { sdk } = await notionForTest({ seed: "demo" });
  const client = sdk();
  const types = new Set<string>();
  const walk = async (id: string): Promise<number> => {
    const blocks = (await collectPaginatedAPI(client.blocks.children.list, { block_id: id })) as Json[];
    let count = blocks.length;
    for (const block of blocks) {
      types.add(block.type);
      await client.comments.list({ block_id: block.id }).catch(() => undefined);
      if (block.has_children && block.type !== "synced_block") count += await walk(block.id);
    }
    return count;
  };
  const found = (await collectPaginatedAPI(client.search, {})) as Json[];
  expect(new Set(found.map(({ object }) => object))).toEqual(new Set(["page", "data_source"]));
  const roots = found.filter(({ object, parent }) => object === "page" && parent.type === "workspace");
  const walked = await Promise.all(roots.map(({ id }) => walk(id)));
  expect(walked.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(75);
  expect([...types]).toEqual(
    expect.arrayContaining([
      "child_page",
      "child_database",
      "column_list",
      "synced_block",
      "table_row",
      "unsupported",
    ]),
  );
  const sources = found.filter(({ object }) => object === "data_source");
  const properties = new Set(
    sources.flatMap((source) => Object.values(source.properties).map((each: Json) => each.type)),
  );
  expect(properties.size).toBeGreaterThanOrEqual(22);
  for (const { id, parent } of sources) {
    await client.databases.retrieve({ database_id: parent.database_id });
    await client.dataSources.retrieve({ data_source_id: id });
    const rows = (await client.dataSources.query({ data_source_id: id })).results.filter(isFullPage);
    for (const row of rows.slice(0, 2))
      for (const { id: property_id } of Object.values(row.properties))
        await client.pages.properties.retrieve({ page_id: row.id, property_id });
    await client.dataSources.listTemplates({ data_source_id: id });
    const { results } = await client.views.list({ data_source_id: id });
    for (const view of results) await client.views.retrieve({ view_id: view.id });
  }
  for (const { id, object } of found)
    if (object === "page") await client.pages.retrieveMarkdown({ page_id: id });
  await client.users.list({});
  await client.users.me({});
  await client.customEmojis.list({});
});

test("a list of blocks has pages of 100, and its cursor is the id of the next block", async () => {
  const { control, json } = await notionForTest();
  const page = await control("pages", { title: "Long" });
  const { pageIds } = await control("generate", { rootId: page.id, pages: 1, blocks: 260 });
  const first = await json(`/blocks/${pageIds[0]}/children`);
  expect([first.results.length, first.has_more]).toEqual([100, true]);
  const second = await json(`/blocks/${pageIds[0]}/children?start_cursor=${first.next_cursor}&page_size=100`);
  expect(second.results[0].id).toBe(first.next_cursor);
  const third = await json(`/blocks/${pageIds[0]}/children?start_cursor=${second.next_cursor}`);
  expect([third.results.length, third.next_cursor, third.has_more]).toEqual([8, null, false]);
});

test("a grant reaches the chosen pages and what is below them, and nothing else", async () => {
  const { control, grant, json, refusalOf } = await notionForTest();
  const mine = await control("pages", { title: "Mine", content: "everything" });
  const other = await control("pages", { title: "Other" });
  const { token: as } = grant({ rootIds: [mine.id] });
  const { results } = await json("/search", { method: "POST", body: "{}", as });
  expect(results.map(({ parent }: Json) => parent.type)).toContain("block_id");
  expect((await refusalOf(`/pages/${other.id}`, { as }))[1]).toBe("object_not_found");
  await control(`things/${mine.id}/move`, { parentId: other.id });
  expect((await json(`/pages/${mine.id}`, { as })).parent.page_id).toBe(other.id);
});

test("search lags, misses what control says, and says where something went", async () => {
  const { control, post } = await notionForTest();
  const old = await control("pages", { title: "Old" });
  const missed = await control("pages", { title: "Missed" });
  await control("miss-in-search", { ids: [missed.id] });
  const found = async (body: object = {}) => (await post("/search", body)).results.map(({ id }: Json) => id);
  expect(await found()).toEqual([old.id]);
  await control("settings", { searchLagMs: 60_000 });
  expect(await found()).toEqual([]);
  await control("clock", { advanceMs: 61_000 });
  expect(await found({ query: "OL" })).toEqual([old.id]);
  await control(`things/${old.id}/trash`);
  expect(await found()).toEqual([]);
  expect(await found({ filter: { in_trash: true } })).toEqual([old.id]);
});

test("a query is cut silently, and windows by the time of creation find every row", async () => {
  const { control, post, sdk } = await notionForTest({ settings: { queryRows: 120 } });
  const page = await control("pages", { title: "Tables" });
  const { dataSourceId } = await control("generate", { rootId: page.id, rows: 330 });
  const path = `/data_sources/${dataSourceId}/query`;
  const first = await post(path, {});
  expect([first.results.length, first.has_more, first.request_status]).toEqual([100, true, undefined]);
  // The newest first.
  expect(first.results[0].properties.Name.title[0].plain_text).toBe("Row 330");
  const last = await post(path, { start_cursor: first.next_cursor });
  expect([last.results.length, last.has_more]).toEqual([20, false]);
  expect(last.request_status).toEqual({
    type: "incomplete",
    incomplete_reason: "query_result_limit_reached",
  });
  const ids = new Set<string>();
  for await (const row of iterateAllDataSourceRows(sdk(), { data_source_id: dataSourceId })) ids.add(row.id);
  expect(ids.size).toBe(330);
});

test("rows are filtered and sorted by properties and times", async () => {
  const { control, json, post } = await notionForTest();
  const page = await control("pages", { title: "Home", content: "fleet" });
  const { results } = await json("/search", { method: "POST", body: JSON.stringify({ query: "Fleet" }) });
  const path = `/data_sources/${results.find(({ object }: Json) => object === "data_source").id}/query`;
  const titles = async (body: object) =>
    (await post(path, body)).results.map((row: Json) => row.properties.Lorry.title[0].plain_text);
  const ascending = [{ property: "Lorry", direction: "ascending" }];
  expect(await titles({ sorts: ascending })).toEqual(["Lorry 12", "Lorry 21", "Lorry 7", "Таможня 🚛"]);
  expect(await titles({ filter: { property: "Class", select: { equals: "Tanker" } } })).toEqual([
    "Таможня 🚛",
  ]);
  const both = {
    and: [
      { property: "Kilometres", number: { greater_than: 121_000 } },
      { timestamp: "created_time", created_time: { on_or_after: "2020-01-01" } },
    ],
  };
  expect(await titles({ filter: both, sorts: ascending })).toEqual(["Lorry 21", "Таможня 🚛"]);
  expect(page.id).not.toBe("");
});

test("a long relation is cut in the page, says so, and is read whole in pages", async () => {
  const { control, json, world } = await notionForTest();
  const home = await control("pages", { title: "Home" });
  const rows = Array.from({ length: 130 }, (_, index) => `Row ${index}`);
  const { dataSourceId, rowIds } = await control("tables", { title: "Long", parentId: home.id, rows });
  const source = world.state.dataSources[dataSourceId]!;
  source.properties.rel = {
    ...{ id: "rel", name: "All", description: null, type: "relation" },
    relation: {
      database_id: source.databaseId,
      data_source_id: source.id,
      type: "single_property",
      single_property: {},
    },
  };
  world.state.pages[rowIds[0]]!.values.rel = {
    type: "relation",
    relation: rowIds.map((id: string) => ({ id })),
  };
  const page = await json(`/pages/${rowIds[0]}`);
  expect([page.properties.All.relation.length, page.properties.All.has_more]).toEqual([25, true]);
  const first = await json(`/pages/${rowIds[0]}/properties/rel`);
  const second = await json(`/pages/${rowIds[0]}/properties/rel?start_cursor=${first.next_cursor}`);
  expect([first.results.length, second.results.length, second.next_cursor]).toEqual([100, 30, null]);
});

test("comments are listed until they are resolved, with their replies, by page and by block", async () => {
  const { control, json } = await notionForTest();
  const page = await control("pages", { title: "Talk", text: "One" });
  const [block] = (await json(`/blocks/${page.id}/children`)).results;
  const first = await control("comments", { onId: page.id, text: "Why?" });
  await control("comments", { onId: page.id, text: "Because.", discussionId: first.discussionId });
  await control("comments", { onId: block.id, text: "Here." });
  const said = async (id: string) =>
    (await json(`/comments?block_id=${id}`)).results.map((each: Json) => each.rich_text[0].plain_text);
  expect(await said(page.id)).toEqual(["Why?", "Because."]);
  expect(await said(block.id)).toEqual(["Here."]);
  await control(`comments/${first.id}/resolve`);
  expect(await said(page.id)).toEqual([]);
});

test("the Markdown of a page changes with it, also where its time of editing does not", async () => {
  const { control, json } = await notionForTest();
  const page = await control("pages", { title: "Silent", content: "everything" });
  const before = await json(`/pages/${page.id}/markdown`);
  expect(before.markdown).toBe((await json(`/pages/${page.id}/markdown`)).markdown);
  const { last_edited_time } = await json(`/pages/${page.id}`);
  await control("clock", { advanceMs: 120_000 });
  await control(`pages/${page.id}/edit`, { text: "Changed", isSilent: true });
  expect((await json(`/pages/${page.id}`)).last_edited_time).toBe(last_edited_time);
  expect((await json(`/pages/${page.id}/markdown`)).markdown).not.toBe(before.markdown);
  await control("settings", { markdownBlocks: 3 });
  const cut = await json(`/pages/${page.id}/markdown`);
  expect([cut.truncated, cut.unknown_block_ids.length > 10]).toEqual([true, true]);
});

test("a file's address works for an hour, changes its signature, and leads to the same bytes", async () => {
  const { control, json } = await notionForTest();
  const page = await control("pages", { title: "Files", files: [{ name: "a b.txt", text: "bytes" }] });
  const address = async () => (await json(`/blocks/${page.id}/children`)).results[0].file.file;
  const first = await address();
  expect(await (await fetch(first.url)).text()).toBe("bytes");
  expect((await fetch(first.url, { headers: { Authorization: "Bearer x" } })).status).toBe(400);
  await control("clock", { advanceMs: 3_601_000 });
  expect((await fetch(first.url)).status).toBe(403);
  const second = await address();
  expect(second.url).not.toBe(first.url);
  expect(second.url.split("?")[0]).toBe(first.url.split("?")[0]);
  expect((await fetch(second.url)).status).toBe(200);
  await control("expire-files");
  expect((await fetch(second.url)).status).toBe(403);
});

test("a custom emoji's address has no signature and works for good", async () => {
  const { control, json } = await notionForTest();
  await control("pages", { title: "Emojis", content: "everything" });
  const { results } = await json("/custom_emojis");
  await control("expire-files");
  expect([new URL(results[0].url).search, (await fetch(results[0].url)).status]).toEqual(["", 200]);
});

test("people are listed without guests, and each guest can be asked for", async () => {
  const { json, world } = await notionForTest();
  const guest = world.state.people.find(({ login }) => login === "asa")!;
  guest.isGuest = true;
  const { results } = await json("/users");
  expect(results.map(({ name }: Json) => name)).toEqual(["Nora Lindqvist", "Ivo Petrov", "Holdfast"]);
  expect((await json(`/users/${guest.id}`)).name).toBe("Åsa Nyström");
});

test("what is in the trash is still there and says so, also below it; what is deleted is not", async () => {
  const { control, json, refusalOf } = await notionForTest();
  const page = await control("pages", { title: "Above" });
  const below = await control("pages", { title: "Below", parentId: page.id });
  await control(`things/${page.id}/trash`);
  expect((await json(`/pages/${page.id}`)).in_trash).toBe(true);
  expect((await json(`/pages/${below.id}`)).in_trash).toBe(true);
  await control(`things/${page.id}/delete`);
  expect((await refusalOf(`/pages/${page.id}`))[0]).toBe(404);
});
