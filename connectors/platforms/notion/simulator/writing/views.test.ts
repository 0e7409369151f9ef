import { expect, test } from "vitest";
import { type Json, notionForTest } from "../test-world.ts";

async function viewsForTest() {
  const world = await notionForTest();
  const top = await world.control("pages", { title: "Top" });
  const notion = world.sdk();
  const database: Json = await notion.databases.create({
    parent: { type: "page_id", page_id: top.id },
    initial_data_source: {
      properties: {
        Name: { title: {} },
        Kind: { select: { options: [{ name: "Ship" }] } },
        When: { date: {} },
      },
    },
  });
  const ids = { database_id: database.id as string, data_source_id: database.data_sources[0].id as string };
  const { properties }: Json = await notion.dataSources.retrieve({ data_source_id: ids.data_source_id });
  const refusal = async (body: Json): Promise<string> =>
    (await world.refusalOf("/views", { method: "POST", body: JSON.stringify({ ...ids, ...body }) }))[2];
  return { ...world, notion, ids, properties, refusal };
}

test("a view of each type is made where it is told, changed, and read back as written", async () => {
  const { ids, json, notion, properties } = await viewsForTest();
  const select = { type: "select", property_id: properties.Kind.id, sort: { type: "manual" } };
  const configurations: Json = {
    table: {
      type: "table",
      wrap_cells: true,
      properties: [{ property_id: properties.When.id, visible: false, width: 90 }],
    },
    board: { type: "board", group_by: select, card_layout: "compact" },
    list: { type: "list" },
    calendar: { type: "calendar", date_property_id: properties.When.id, view_range: "week" },
    timeline: { type: "timeline", date_property_id: properties.When.id },
    gallery: { type: "gallery", cover: { type: "page_cover" }, cover_size: "large" },
    form: { type: "form", is_form_closed: true },
    chart: { type: "chart", chart_type: "bar" },
    map: { type: "map", height: "small" },
  };
  for (const [type, configuration] of Object.entries<Json>(configurations)) {
    const made: Json = await notion.views.create({
      ...ids,
      name: type,
      type: type as "table",
      configuration,
    });
    expect(made).toMatchObject({ name: type, type, configuration });
  }
  const first: Json = await notion.views.create({
    ...ids,
    name: "First",
    type: "table",
    position: { type: "start" },
  });
  const { results } = await json(`/views?database_id=${ids.database_id}`);
  expect(results).toHaveLength(11);
  expect(results[0].id).toBe(first.id);
  const changed: Json = await notion.views.update({
    view_id: first.id,
    name: "Ships",
    filter: { property: "Kind", select: { equals: "Ship" } } as never,
    sorts: [{ property: "When", direction: "ascending" }] as never,
  });
  expect(changed).toMatchObject({
    name: "Ships",
    filter: { property: "Kind" },
    sorts: [{ property: "When" }],
  });
  expect((await notion.views.delete({ view_id: first.id })).id).toBe(first.id);
});

test("a view's query keeps what it found", async () => {
  const { ids, json, notion } = await viewsForTest();
  const view: Json = await notion.views.create({ ...ids, name: "All", type: "list" });
  for (const name of ["a", "b", "c"])
    await notion.pages.create({
      parent: { data_source_id: ids.data_source_id },
      properties: { Name: { title: [{ text: { content: name } }] } },
    });
  const query = await notion.views.queries.create({ view_id: view.id, page_size: 2 });
  expect(query).toMatchObject({ total_count: 3, has_more: true });
  const next = await json(`/views/${view.id}/queries/${query.id}?start_cursor=${query.next_cursor}`);
  expect(next.results).toHaveLength(1);
});

test("a view that names what is not there, or lacks what its type needs, is refused", async () => {
  const { ids, refusal, refusalOf, json } = await viewsForTest();
  expect(await refusal({ name: "x", type: "table", filter: { property: "Gone", number: {} } })).toContain(
    "filter.property",
  );
  expect(
    await refusal({ name: "x", type: "table", sorts: [{ property: "Gone", direction: "ascending" }] }),
  ).toContain("sorts");
  expect(await refusal({ name: "x", type: "calendar", configuration: { type: "calendar" } })).toContain(
    "date_property_id",
  );
  expect(
    await refusal({
      name: "x",
      type: "calendar",
      configuration: { type: "calendar", date_property_id: "gone" },
    }),
  ).toContain("date_property_id");
  expect(await refusal({ name: "x", type: "board" })).toContain("group_by");
  expect(await refusal({ name: "x", type: "table", configuration: { type: "list" } })).toContain(
    "configuration.type",
  );
  expect(await refusal({ name: "x", type: "dashboard" })).toContain("body.type");
  const [only] = (await json(`/views?database_id=${ids.database_id}`)).results;
  expect((await refusalOf(`/views/${only.id}`, { method: "DELETE" }))[2]).toContain("last view");
});
