import { expect, test } from "vitest";
import { type Json, notionForTest } from "../test-world.ts";

const text = (content: string) => [{ text: { content } }];
const named = (content: string) => ({ title: text(content) });

async function tablesForTest() {
  const world = await notionForTest();
  const top = await world.control("pages", { title: "Top" });
  const notion = world.sdk();
  const table = async (title: string, properties: Json = {}): Promise<{ id: string; source: string }> => {
    const database: Json = await notion.databases.create({
      parent: { type: "page_id", page_id: top.id },
      title: text(title),
      initial_data_source: { properties: { Name: { title: {} }, ...properties } },
    });
    return { id: database.id, source: database.data_sources[0].id };
  };
  const row = async (source: string, properties: Json): Promise<Json> =>
    notion.pages.create({ parent: { data_source_id: source }, properties });
  const schema = async (source: string): Promise<Json> =>
    ((await notion.dataSources.retrieve({ data_source_id: source })) as Json).properties;
  const change = async (source: string, properties: Json): Promise<Json> =>
    ((await notion.dataSources.update({ data_source_id: source, properties })) as Json).properties;
  const refusal = async (method: string, path: string, body: Json): Promise<string> => {
    const [status, , message] = await world.refusalOf(path, { method, body: JSON.stringify(body) });
    expect(status, message).toBeGreaterThanOrEqual(400);
    return message;
  };
  return { ...world, top, notion, table, row, schema, change, refusal };
}

const EVERY: Json = {
  Text: { rich_text: {} },
  Number: { number: { format: "euro" } },
  Kind: { select: { options: [{ name: "Ship", color: "blue" }] } },
  Tags: { multi_select: { options: [{ name: "new" }, { name: "old" }] } },
  State: { status: {} },
  When: { date: {} },
  Who: { people: {} },
  Papers: { files: {} },
  Done: { checkbox: {} },
  Site: { url: {} },
  Mail: { email: {} },
  Phone: { phone_number: {} },
  Made: { created_time: {} },
  Maker: { created_by: {} },
  Changed: { last_edited_time: {} },
  Changer: { last_edited_by: {} },
  Key: { unique_id: { prefix: "QUAY" } },
  Press: { button: {} },
  Where: { place: {} },
};

test("a table with each type of property is made, filled and read back as written", async () => {
  const { json, notion, row, schema, table } = await tablesForTest();
  const { id, source } = await table("Fleet", EVERY);
  const properties = await schema(source);
  expect(Object.keys(properties)).toEqual(["Name", ...Object.keys(EVERY)]);
  expect(properties.State.status.groups.map(({ name }: Json) => name)).toEqual([
    "To-do",
    "In progress",
    "Complete",
  ]);
  expect(properties.Kind.select.options[0]).toMatchObject({ name: "Ship", color: "blue" });
  const [person] = (await json("/users")).results;
  const values: Json = {
    Name: named("Astrid"),
    Text: { rich_text: text("Built in Göteborg") },
    Number: { number: 12.5 },
    Kind: { select: { name: "Ship" } },
    Tags: { multi_select: [{ name: "old" }, { name: "found by chance" }] },
    State: { status: { name: "Done" } },
    When: { date: { start: "2026-12-01" } },
    Who: { people: [{ id: person.id }] },
    Papers: { files: [{ name: "plan", external: { url: "https://example.com/plan.pdf" } }] },
    Done: { checkbox: true },
    Site: { url: "https://example.com/" },
    Mail: { email: "ship@meridian.example" },
    Phone: { phone_number: "+46 31 1" },
    Where: { place: { lat: 57.7, lon: 11.9, name: "Quay 7" } },
  };
  const made = await row(source, values);
  const shown = ((await notion.pages.retrieve({ page_id: made.id })) as Json).properties;
  expect(shown.Tags.multi_select.map(({ name }: Json) => name)).toEqual(["old", "found by chance"]);
  expect(shown.Who.people).toEqual([{ object: "user", id: person.id }]);
  expect(shown).toMatchObject({
    ...{ Number: { number: 12.5 }, Kind: { select: { color: "blue" } }, State: { status: { name: "Done" } } },
    ...{ When: { date: { start: "2026-12-01", end: null, time_zone: null } }, Done: { checkbox: true } },
    ...{ Key: { unique_id: { prefix: "QUAY", number: 1 } }, Where: { place: { name: "Quay 7" } } },
  });
  expect((await row(source, { Name: named("Second") })).properties.Key.unique_id.number).toBe(2);
  expect((await schema(source)).Tags.multi_select.options).toHaveLength(3);
  const views = (await json(`/views?database_id=${id}`)).results;
  expect(views).toHaveLength(1);
});

test("a dual relation makes its partner once, and both sides tell of a change", async () => {
  const { change, row, schema, table, notion, refusal } = await tablesForTest();
  const [ships, ports] = [await table("Ships"), await table("Ports")];
  const config = {
    relation: { data_source_id: ports.source, dual_property: { synced_property_name: "Ships" } },
  };
  const { Port } = await change(ships.source, { Port: config });
  const { Ships } = await schema(ports.source);
  expect(Ships.relation).toMatchObject({
    data_source_id: ships.source,
    dual_property: { synced_property_id: Port.id },
  });
  expect(Port.relation.dual_property).toEqual({
    synced_property_id: Ships.id,
    synced_property_name: "Ships",
  });
  await change(ships.source, { Port: config });
  expect(Object.keys(await schema(ports.source))).toEqual(["Name", "Ships"]);
  const oslo = await row(ports.source, { Name: named("Oslo") });
  const ship = await row(ships.source, { Name: named("Astrid"), Port: { relation: [{ id: oslo.id }] } });
  const shipsOf = async () =>
    ((await notion.pages.retrieve({ page_id: oslo.id })) as Json).properties.Ships.relation;
  expect(await shipsOf()).toEqual([{ id: ship.id }]);
  await notion.pages.update({ page_id: ship.id, properties: { Port: { relation: [] } } });
  expect(await shipsOf()).toEqual([]);
  const wrong = { properties: { Port: { relation: [{ id: ship.id }] } } };
  expect(await refusal("PATCH", `/pages/${ship.id}`, wrong)).toContain(
    "not a row of the related data source",
  );
  await change(ships.source, { Port: { name: "Home" } });
  expect((await schema(ports.source)).Ships.relation.dual_property.synced_property_name).toBe("Home");
  await change(ships.source, { Home: null });
  expect(Object.keys(await schema(ports.source))).toEqual(["Name"]);
});

test("rollups and formulas name what exists, and are computed", async () => {
  const { change, notion, refusal, row, table } = await tablesForTest();
  const ports = await table("Ports", { Berths: { number: {} }, Open: { checkbox: {} }, Since: { date: {} } });
  const ships = await table("Ships", {
    Ports: { relation: { data_source_id: ports.source, single_property: {} } },
    Length: { number: {} },
  });
  const rollup = (name: string, property: string) => ({
    rollup: { function: name, relation_property_name: "Ports", rollup_property_name: property },
  });
  const properties = await change(ships.source, {
    Sum: rollup("sum", "Berths"),
    All: rollup("show_original", "Berths"),
    Open: rollup("percent_checked", "Open"),
    First: rollup("earliest_date", "Since"),
    Long: {
      formula: {
        expression: 'if(prop("Length") > 100 and prop("Sum") >= 3, concat("long ", prop("Name")), "short")',
      },
    },
  });
  expect(properties.Long.formula.expression).toContain(`{{notion:block_property:${properties.Length.id}:`);
  expect(properties.Sum.rollup).toMatchObject({
    relation_property_id: properties.Ports.id,
    rollup_property_name: "Berths",
  });
  const one = await row(ports.source, {
    ...{ Name: named("Oslo"), Berths: { number: 1 }, Open: { checkbox: true } },
    Since: { date: { start: "2020-01-01" } },
  });
  const two = await row(ports.source, {
    Name: named("Åbo"),
    Berths: { number: 2 },
    Since: { date: { start: "1999-01-01" } },
  });
  const ship = await row(ships.source, {
    ...{ Name: named("Astrid"), Length: { number: 120 } },
    Ports: { relation: [{ id: one.id }, { id: two.id }] },
  });
  expect(ship.properties).toMatchObject({
    Sum: { rollup: { type: "number", number: 3 } },
    All: { rollup: { array: [{ number: 1 }, { number: 2 }] } },
    Open: { rollup: { number: 0.5 } },
    First: { rollup: { type: "date", date: { start: "1999-01-01" } } },
    Long: { formula: { type: "string", string: "long Astrid" } },
  });
  const patch = (property: Json) =>
    refusal("PATCH", `/data_sources/${ships.source}`, { properties: { New: property } });
  expect(await patch(rollup("sum", "Nowhere"))).toContain("no property");
  expect(await patch(rollup("total", "Berths"))).toContain("function");
  expect(await patch({ ...rollup("sum", "Berths"), type: "formula" })).toContain("one of");
  expect(await patch({ formula: { expression: 'prop("Nowhere")' } })).toContain("no property");
  expect(await patch({ formula: { expression: "dateAdd(now(), 1)" } })).toContain("not known");
  expect(await patch({ formula: { expression: properties.Long.formula.expression } })).toContain(
    "not a formula",
  );
  expect(await patch({ location: {} })).toContain("one of");
  await notion.pages.update({ page_id: two.id, in_trash: true });
  expect(((await notion.pages.retrieve({ page_id: ship.id })) as Json).properties.Sum.rollup.number).toBe(1);
});

test("a formula that leads to itself is unsupported, and others have their values", async () => {
  const { change, row, table } = await tablesForTest();
  const { source } = await table("Ships", { Twice: { formula: { expression: "1 + 1" } } });
  await change(source, {
    Twice: { formula: { expression: 'prop("Twice") + 1' } },
    Once: { formula: { expression: "2" } },
  });
  const ship = await row(source, { Name: named("Astrid") });
  expect(ship.properties).toMatchObject({
    Twice: { formula: { type: "unsupported" } },
    Once: { formula: { type: "number", number: 2 } },
  });
});

test("properties are renamed and removed; the title stays, and no type changes", async () => {
  const { change, refusal, table } = await tablesForTest();
  const { source } = await table("Fleet", {
    Text: { rich_text: {} },
    State: { status: { options: [{ name: "Docked" }] } },
  });
  const renamed = await change(source, { Text: { name: "Notes" } });
  expect(Object.keys(renamed)).toContain("Notes");
  const { State } = await change(source, {
    Notes: null,
    State: { status: { options: [{ name: "Docked" }, { name: "At sea" }] } },
  });
  const [todo] = State.status.groups;
  expect(todo.option_ids).toEqual(State.status.options.map(({ id }: Json) => id));
  const patch = (properties: Json) => refusal("PATCH", `/data_sources/${source}`, { properties });
  expect(await patch({ Name: null })).toContain("cannot be removed");
  expect(await patch({ State: { select: {} } })).toContain("cannot become");
  expect(await patch({ Other: { title: {} } })).toContain("exactly one");
  expect(await patch({ State: { status: { options: [{ name: "Docked", color: "red" }] } } })).toContain(
    "Cannot update color",
  );
  expect(await patch({ Gone: null })).toContain("no such property");
});

test("values that are computed, unknown or of another type are refused, and change nothing", async () => {
  const { notion, refusal, row, table } = await tablesForTest();
  const { source } = await table("Fleet", EVERY);
  const { id } = await row(source, { Name: named("Astrid") });
  const patch = (properties: Json) =>
    refusal("PATCH", `/pages/${id}`, { properties: { Name: named("Changed"), ...properties } });
  expect(await patch({ Nothing: { number: 1 } })).toContain("not a property");
  expect(await patch({ Made: { created_time: "2026-01-01T00:00:00Z" } })).toContain("computed");
  expect(await patch({ Key: { unique_id: { number: 7 } } })).toContain("computed");
  expect(await patch({ Number: { number: "7" } })).toContain("number");
  expect(await patch({ Number: { text: "7" } })).toContain("not present");
  expect(await patch({ State: { status: { name: "Elsewhere" } } })).toContain("does not exist");
  expect(await patch({ Kind: { select: { name: "one, two" } } })).toContain("commas");
  expect(await patch({ Who: { people: [{ id: source }] } })).toContain("user");
  expect(await patch({ Site: { url: "not an address" } })).toContain("URL");
  expect(await patch({ When: { date: { start: "2026-13-01" } } })).toContain("ISO 8601");
  expect(((await notion.pages.retrieve({ page_id: id })) as Json).properties.Name.title[0].plain_text).toBe(
    "Astrid",
  );
});

test("a database has further data sources, and then no longer stands for one", async () => {
  const { json, notion, refusal, table } = await tablesForTest();
  const { id, source } = await table("Fleet");
  const body = { parent: { database_id: id }, properties: { Name: named("By the database") } };
  expect(((await notion.pages.create(body)) as Json).parent.data_source_id).toBe(source);
  const second: Json = await notion.dataSources.create({
    parent: { type: "database_id", database_id: id },
    properties: { Title: { title: {} } },
    title: text("Second"),
  });
  expect((await json(`/databases/${id}`)).data_sources).toHaveLength(2);
  expect(await refusal("POST", "/pages", body)).toContain("2 data sources");
  const missing = {
    parent: { type: "database_id", database_id: id },
    properties: { Text: { rich_text: {} } },
  };
  expect(await refusal("POST", "/data_sources", missing)).toContain("exactly one");
  await notion.dataSources.update({ data_source_id: second.id, in_trash: true });
  expect((await json(`/databases/${id}`)).data_sources).toHaveLength(1);
  const locked: Json = await notion.databases.update({
    database_id: id,
    is_locked: true,
    is_inline: true,
    icon: { emoji: "⚓" },
  });
  expect(locked).toMatchObject({ is_locked: true, is_inline: true, icon: { emoji: "⚓" } });
  expect(locked.last_edited_time).toBe(locked.created_time);
});

test("a database stands at the top, and is moved below a page", async () => {
  const { notion, top } = await tablesForTest();
  const made: Json = await notion.databases.create({
    parent: { type: "workspace", workspace: true },
    title: text("Top"),
  });
  expect(made.parent).toEqual({ type: "workspace", workspace: true });
  const moved: Json = await notion.databases.update({
    database_id: made.id,
    parent: { type: "page_id", page_id: top.id },
  });
  expect(moved.parent).toEqual({ type: "page_id", page_id: top.id });
});

test("a row is made from a template, whose values yield to those of the request", async () => {
  const { notion, row, table, world } = await tablesForTest();
  const { source } = await table("Fleet", { Number: { number: {} }, Text: { rich_text: {} } });
  const template = await row(source, {
    Name: named("New ship"),
    Number: { number: 1 },
    Text: { rich_text: text("From the template") },
  });
  await notion.blocks.children.append({
    block_id: template.id,
    children: [{ paragraph: { rich_text: text("Steps") } }],
  });
  // Only people make templates, so the state is changed.
  const stored = world.state.dataSources[source]!;
  world.state.pages[template.id]!.kind = "template";
  Object.assign(stored, { templateIds: [template.id], rowIds: [], defaultTemplateId: template.id });
  const made: Json = await notion.pages.create({
    parent: { data_source_id: source },
    properties: { Name: named("Astrid"), Number: { number: 2 } },
    template: { type: "default" },
  });
  expect(made.properties).toMatchObject({
    Number: { number: 2 },
    Text: { rich_text: [{ plain_text: "From the template" }] },
  });
  expect((await notion.blocks.children.list({ block_id: made.id })).results).toHaveLength(1);
});
