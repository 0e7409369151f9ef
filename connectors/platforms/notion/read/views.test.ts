import { expect, test } from "vitest";
import type { PagesView } from "#connectors/contract/pages-view.ts";
import type { TableView } from "#connectors/contract/table-view.ts";
import type { MemorySnapshot } from "#tests/conformance/memory-snapshot.ts";
import { allOf } from "#tests/harness/all-of.ts";
import { recordPaths } from "../record-paths.ts";
import { pageHome, rowHome } from "./homes.ts";
import { openPages } from "./pages-view.ts";
import { id, piece, TestVersion } from "./test-version.ts";

const [HANDBOOK, DEPOTS, LEIPZIG, IN_ROW] = [id(1), id(2), id(3), id(4)];
const [BELTS, BELTS_SOURCE, CREWS, CREWS_SOURCE] = [id(10), id(11), id(12), id(13)];
const [BELT_1, BELT_2, TEMPLATE, NIGHT] = [id(20), id(21), id(22), id(23)];
const [PETRA, INES] = [id(900), id(901)];

const SCHEMA = {
  State: {
    ...{ id: "%3Ast%7C", name: "State", type: "status" },
    status: { options: [{ name: "Watch" }, { name: "Running" }], groups: [] },
  },
  Checked: { id: "chk", name: "Checked", type: "date", date: {} },
  "Parcels/h": { id: "prc", name: "Parcels/h", type: "number", number: { format: "number_with_commas" } },
  Foreman: { id: "man", name: "Foreman", type: "people", people: {} },
  Photo: { id: "pho", name: "Photo", type: "files", files: {} },
  Crew: { id: "rel", name: "Crew", type: "relation", relation: { data_source_id: CREWS_SOURCE } },
  No: { id: "no", name: "No", type: "unique_id", unique_id: { prefix: "BLT" } },
};
const VALUES = {
  State: { id: "%3Ast%7C", type: "status", status: { name: "Running", color: "green" } },
  Checked: { id: "chk", type: "date", date: { start: "2026-11-18", end: null, time_zone: null } },
  "Parcels/h": { id: "prc", type: "number", number: 2400 },
  Foreman: {
    id: "man",
    type: "people",
    people: [
      { object: "user", id: INES },
      { object: "user", id: id(999) },
    ],
  },
  Crew: { id: "rel", type: "relation", relation: [{ id: NIGHT }, { id: id(77) }] },
  No: { id: "no", type: "unique_id", unique_id: { prefix: "BLT", number: 1 } },
};

/** A handbook with pages in columns, a table with rows, templates and views, and a page in a row. */
function world(): TestVersion {
  const above = (pageId: string) => ({ above: recordPaths.page(pageHome(pageId).path) });
  const version = new TestVersion()
    .root("page", HANDBOOK)
    .root("database", CREWS)
    .root("page", id(404))
    .page(
      HANDBOOK,
      "Operations handbook",
      [
        { type: "column_list", inside: [{ type: "column", inside: [{ type: "child_page", id: DEPOTS }] }] },
        { type: "child_database", id: BELTS, facts: { title: "Belts" } },
        { type: "child_page", id: id(405), facts: { title: "Private" } },
      ],
      { facts: { icon: { type: "emoji", emoji: "📘" } } },
    )
    .page(DEPOTS, "Depots", [{ type: "child_page", id: LEIPZIG }], above(HANDBOOK))
    .page(
      LEIPZIG,
      "Leipzig, night shift",
      [{ type: "paragraph", id: id(70), text: "Line-haul from Hamburg." }],
      {
        ...above(DEPOTS),
        facts: { is_archived: true, url: "https://www.notion.so/leipzig" },
      },
    )
    .table(BELTS, BELTS_SOURCE, "Belts", SCHEMA, above(HANDBOOK))
    .table(CREWS, CREWS_SOURCE, "Crews")
    .row(BELTS_SOURCE, BELT_1, "Belt 1", VALUES, {
      blocks: [
        { type: "paragraph", text: "Stops under −12 °C." },
        { type: "child_page", id: IN_ROW },
      ],
    })
    .row(BELTS_SOURCE, BELT_2, "Belt 2")
    .row(BELTS_SOURCE, TEMPLATE, "New belt", {}, { kind: "template" })
    .row(CREWS_SOURCE, NIGHT, "Night crew")
    .page(IN_ROW, "Repairs", [], { above: recordPaths.page(rowHome(BELTS_SOURCE, BELT_1).path) })
    .view(BELTS, id(31), {
      ...tab(0, "All", "table"),
      configuration: {
        type: "table",
        properties: [
          { property_id: "prc", visible: true },
          { property_id: ":st|" },
          { property_id: "man", visible: false },
          { property_id: "gone" },
        ],
      },
    })
    .view(BELTS, id(30), {
      ...tab(1, "By state", "board"),
      configuration: { type: "board", group_by: { type: "status", property_id: "%3Ast%7C" } },
    })
    .view(BELTS, id(32), {
      ...tab(2, "", "gallery"),
      configuration: { type: "gallery", cover: { type: "property", property_id: "pho" } },
    })
    .view(BELTS, id(33), {
      ...tab(3, "Plan", "timeline"),
      configuration: { type: "timeline", date_property_id: "chk" },
    })
    .view(BELTS, id(34), {
      ...tab(4, "Days", "calendar"),
      configuration: { type: "calendar", date_property_id: "chk" },
    })
    .user(PETRA, "Petra Sommer")
    .user(INES, "Ines Vogt");
  const home = pageHome(LEIPZIG).path;
  const minute = (at: number) => ({
    created_time: `2026-11-20T06:0${at}:00.000Z`,
    last_edited_time: `2026-11-20T06:0${at}:00.000Z`,
  });
  version
    .comment(home, id(80), "third", {
      ...{ ...minute(2), position: 2 },
      discussion_id: id(60),
      created_by: { object: "user", id: INES },
    })
    .comment(home, id(81), "first", {
      ...{ ...minute(1), discussion_id: id(60), display_name: { type: "user", resolved_name: "Nora" } },
      parent: { type: "block_id", block_id: id(70) },
      last_edited_time: "2026-11-20T07:00:00.000Z",
    })
    .comment(home, id(82), "second", {
      ...{ ...minute(2), position: 1 },
      discussion_id: id(61),
      created_by: { object: "user", id: PETRA },
    });
  return version;
}

/** A view of the table of belts. All have one time of creation. */
function tab(position: number, name: string, type: string) {
  return { data_source_id: BELTS_SOURCE, position, name, type };
}

const titles = (nodes: readonly { title: string; type: string }[]) =>
  nodes.map(({ title, type }) => [type, title]);

test("the tree follows the blocks, at any depth, and leaves out what the version lacks", async () => {
  const pages = openPages(await world().take());
  expect([pages.pageCount, pages.tableCount]).toEqual([5, 2]);
  const below = async (parentId: string | null) => await allOf(pages.children(parentId, null));
  expect(titles(await below(null))).toEqual([
    ["page", "Operations handbook"],
    ["table", "Crews"],
  ]);
  expect(await below(HANDBOOK)).toMatchObject([
    { id: DEPOTS, type: "page", title: "Depots", childCount: 1 },
    { id: BELTS_SOURCE, type: "table", title: "Belts", childCount: 1 },
  ]);
  expect((await below(null))[0]).toMatchObject({ icon: "📘", childCount: 2 });
  expect(titles(await below(BELTS_SOURCE))).toEqual([["page", "New belt"]]);
  expect(titles(await below(`${BELTS_SOURCE}.${BELT_1}`))).toEqual([["page", "Repairs"]]);
  expect(titles(await allOf(pages.children(HANDBOOK, DEPOTS)))).toEqual([["table", "Belts"]]);
  expect(await below(LEIPZIG)).toEqual([]);
});

test("a page has its way down, its author and what stands in it", async () => {
  const pages = openPages(await world().take());
  expect(await pages.page(LEIPZIG)).toMatchObject({
    ...{ title: "Leipzig, night shift", isArchived: true, author: "Petra Sommer", fields: [] },
    ...{ url: "https://www.notion.so/leipzig", at: Date.UTC(2026, 10, 20, 5, 40) },
    crumbs: [
      { id: HANDBOOK, type: "page", title: "Operations handbook" },
      { id: DEPOTS, type: "page", title: "Depots" },
    ],
    blocks: [{ type: "text", text: "Line-haul from Hamburg." }],
  });
  expect((await pages.page(IN_ROW))?.crumbs.map(({ title, type }) => [type, title])).toEqual([
    ["page", "Operations handbook"],
    ["table", "Belts"],
    ["page", "Belt 1"],
  ]);
});

test("a row opened as a page has its properties as fields", async () => {
  const pages = openPages(await world().take());
  expect(await pages.page(`${BELTS_SOURCE}.${BELT_1}`)).toMatchObject({
    title: "Belt 1",
    fields: [
      { name: "Checked", value: "2026-11-18" },
      { name: "Crew", value: "Night crew, Not in this version" },
      { name: "Foreman", value: "Ines Vogt, Somebody" },
      { name: "No", value: "BLT-1" },
      { name: "Parcels/h", value: "2,400" },
      { name: "State", value: "Running" },
    ],
    crumbs: [{ id: HANDBOOK }, { id: BELTS_SOURCE, type: "table", title: "Belts" }],
  });
});

test("comments are in the order of time, those of one minute in that of Notion's list, answers name what they answer, and say what they are about", async () => {
  const pages = openPages(await world().take());
  const { notes, next } = await pages.comments(LEIPZIG, { after: null, most: 10 });
  const path = (number: number) => recordPaths.comment(pageHome(LEIPZIG).path, id(number));
  expect(notes).toMatchObject([
    {
      text: "first",
      author: "Nora",
      about: "Line-haul from Hamburg.",
      answers: null,
      editedAt: Date.UTC(2026, 10, 20, 7),
    },
    { text: "second", author: "Petra Sommer", about: null, answers: null, editedAt: null },
    { text: "third", author: "Ines Vogt", answers: path(81) },
  ]);
  expect(next).toBeNull();
  const first = await pages.comments(LEIPZIG, { after: null, most: 2 });
  expect(first.next).toBe(path(82));
  expect(await pages.comments(LEIPZIG, { after: first.next, most: 2 })).toEqual({
    notes: notes.slice(2),
    next: null,
  });
  expect(await pages.comments(LEIPZIG, { after: "gone", most: 2 })).toEqual({ notes: [], next: null });
  for (const note of notes) expect(await pages.comment(note.path)).toEqual(note);
});

async function belts(snapshot: MemorySnapshot, pages: PagesView = openPages(snapshot)): Promise<TableView> {
  const table = await pages.table(BELTS_SOURCE);
  if (table === null) throw new Error("There is no table");
  return table;
}

test("views become layouts in the order of their tabs; others are tables and say so", async () => {
  const { layouts, columns, path, title } = await (await belts(await world().take())).facts();
  expect([title, path]).toEqual(["Belts", recordPaths.database(BELTS)]);
  const idOf = (name: string) => columns.find((column) => column.name === name)?.id ?? "";
  const all = ["Checked", "Crew", "Foreman", "No", "Parcels/h", "Photo", "State"].map(idOf);
  expect(columns.map(({ name, type }) => [name, type])).toContainEqual(["State", "tags"]);
  expect(layouts).toEqual([
    { id: id(31), label: "All", type: "table", columns: [idOf("Parcels/h"), idOf("State")] },
    {
      id: id(30),
      label: "By state",
      type: "board",
      columns: all,
      group: idOf("State"),
      order: ["Watch", "Running"],
    },
    { id: id(32), label: "Gallery", type: "gallery", columns: all, cover: idOf("Photo") },
    { id: id(33), label: "Plan (timeline, shown as a table)", type: "table", columns: all },
    { id: id(34), label: "Days", type: "calendar", columns: all, date: idOf("Checked") },
  ]);
  for (const column of columns) expect(column.id).toMatch(/^[A-Za-z0-9-]+$/);
});

/** Two rows, made in the other order than they are stored, and a view with these facts. */
async function viewed(...views: Parameters<TestVersion["view"]>[2][]) {
  const schema = {
    State: SCHEMA.State,
    Load: { id: "load", name: "Load", type: "number", number: {} },
    Made: { id: "made", name: "Made", type: "created_time", created_time: {} },
  };
  const version = new TestVersion().root("database", BELTS).table(BELTS, BELTS_SOURCE, "Belts", schema);
  const values = (state: string) => ({
    State: { id: "%3Ast%7C", type: "status", status: { name: state, color: "green" } },
  });
  version.row(BELTS_SOURCE, BELT_1, "Belt 1", values("Running"), {
    created_time: "2026-11-02T00:00:00.000Z",
  });
  version.row(BELTS_SOURCE, BELT_2, "Belt 2", values("Watch"), { created_time: "2026-11-01T00:00:00.000Z" });
  for (const [at, view] of views.entries())
    version.view(BELTS, id(30 + at), { ...tab(at, `View ${at}`, "table"), ...view });
  const table = await belts(await version.take());
  return { facts: await table.facts(), rows: await allOf(table.rows(null)) };
}

test("a view has its sorts: by the order of options, by the titles, or by a time that the table has", async () => {
  const { facts, rows } = await viewed(
    {
      sorts: [
        { property: ":st|", direction: "descending" },
        { property: "Name", direction: "ascending" },
      ],
    },
    { sorts: [{ timestamp: "created_time", direction: "ascending" }] },
    { sorts: [{ timestamp: "last_edited_time", direction: "ascending" }] },
    {
      sorts: [
        { property: "load", direction: "ascending" },
        { property: "gone", direction: "ascending" },
      ],
    },
  );
  const state = facts.columns.find(({ name }) => name === "State")?.id;
  const made = facts.columns.find(({ name }) => name === "Made")?.id;
  const [byState, byTime, byEdit, byGone] = facts.layouts;
  expect(byState?.sorts).toEqual([
    { column: state, isDescending: true, order: ["Watch", "Running"] },
    { column: null, isDescending: false },
  ]);
  expect(byState).not.toHaveProperty("lacks");
  expect(byTime?.sorts).toEqual([{ column: made, isDescending: false }]);
  expect(byEdit).toMatchObject({ lacks: ["sort"] });
  expect(byGone).toMatchObject({ sorts: [{ column: "load" }], lacks: ["sort"] });
  expect(rows.map(({ title, rank }) => [title, rank])).toEqual([
    ["Belt 1", "2026-11-02T00:00:00.000Z"],
    ["Belt 2", "2026-11-01T00:00:00.000Z"],
  ]);
  expect(facts.rowCount).toBe(2);
});

test("rows name the views whose filter leaves them out, and where every view has one, another layout shows all", async () => {
  const running = { filter: { property: ":st|", status: { equals: "Running" } } };
  const { facts, rows } = await viewed(running);
  expect(facts.layouts.map(({ label, hasFilter }) => [label, hasFilter ?? false])).toEqual([
    ["View 0", true],
    ["All rows", false],
  ]);
  expect(rows.map(({ title, hiddenIn }) => [title, hiddenIn ?? []])).toEqual([
    ["Belt 1", []],
    ["Belt 2", [id(30)]],
  ]);
  const mine = await viewed(running, { filter: { property: ":st|", status: { looks_like: "Running" } } });
  expect(mine.facts.layouts.map(({ hasFilter, lacks }) => [hasFilter, lacks])).toEqual([
    [true, undefined],
    [undefined, ["filter"]],
  ]);
});

test("an inline database shows its rows where it stands, and a link to it does not", async () => {
  const version = new TestVersion().root("page", HANDBOOK).page(HANDBOOK, "Handbook", [
    { type: "child_database", id: BELTS },
    { type: "child_database", id: CREWS },
    { type: "link_to_page", facts: { type: "database_id", database_id: BELTS } },
  ]);
  version.table(BELTS, BELTS_SOURCE, "Belts", {}, { facts: { is_inline: true } });
  version.table(CREWS, CREWS_SOURCE, "Crews", {}, { facts: { is_inline: false } });
  const page = await openPages(await version.take()).page(HANDBOOK);
  expect(page?.blocks).toEqual([
    { type: "table", id: BELTS_SOURCE, title: "Belts", isInline: true },
    { type: "table", id: CREWS_SOURCE, title: "Crews" },
    { type: "table", id: BELTS_SOURCE, title: "Belts" },
  ]);
});

test("the rows of a very long table are not counted", async () => {
  const version = new TestVersion().root("database", BELTS).table(BELTS, BELTS_SOURCE, "Belts");
  for (let at = 0; at < 1_001; at += 1) version.row(BELTS_SOURCE, id(10_000 + at), `Belt ${at}`);
  expect((await (await belts(await version.take())).facts()).rowCount).toBeNull();
});

test("rows have cells of their types, their number as a short name, and the text in them for the search", async () => {
  const table = await belts(await world().take());
  const [first, second] = await allOf(table.rows(null));
  const { columns } = await table.facts();
  const cellOf = (name: string) => first?.cells[columns.find((column) => column.name === name)?.id ?? ""];
  expect(first).toMatchObject({ title: "Belt 1", key: "BLT-1", words: "Stops under −12 °C." });
  expect(cellOf("State")).toEqual({
    type: "tags",
    tags: [{ name: "Running", hue: "green", shade: "normal" }],
  });
  expect(cellOf("Checked")).toEqual({
    type: "date",
    from: Date.UTC(2026, 10, 18),
    until: null,
    hasTime: false,
  });
  expect(cellOf("Parcels/h")).toEqual({ type: "number", value: 2400, text: "2,400" });
  expect(cellOf("Crew")).toMatchObject({
    rows: [{ id: `${CREWS_SOURCE}.${NIGHT}`, title: "Night crew" }, { title: "Not in this version" }],
  });
  expect(cellOf("Photo")).toBeUndefined();
  expect(second).toMatchObject({ title: "Belt 2", key: null, cells: {} });
  expect((await table.row(`${BELTS_SOURCE}.${BELT_1}`))?.blocks).toMatchObject([
    { type: "text" },
    { type: "page", id: IN_ROW, title: "Repairs" },
  ]);
  expect(await table.row(`${CREWS_SOURCE}.${NIGHT}`)).toBeNull();
});

test("a database with several sources has a table for each, under their own titles", async () => {
  const version = new TestVersion()
    .root("database", id(1))
    .table(id(1), id(2), "Fleet", {}, { more: [id(3)] })
    .source(id(1), id(3), "Vans");
  const pages = openPages(await version.take());
  expect(titles(await allOf(pages.children(null, null)))).toEqual([
    ["table", "Fleet"],
    ["table", "Vans"],
  ]);
  expect((await (await pages.table(id(3)))?.facts())?.layouts).toHaveLength(1);
});

test("a changed record of blocks, a comment and a file belong to their page or row", async () => {
  const pages = openPages(await world().take());
  const of = (path: string) => pages.roleOf({ path, kind: "" });
  const row = rowHome(BELTS_SOURCE, BELT_1);
  expect(of(recordPaths.blocks(row.path, 0))).toEqual({ role: "value", partId: row.id });
  expect(of(recordPaths.page(row.path))).toEqual({ role: "part", id: row.id });
  expect(of(recordPaths.comment(pageHome(DEPOTS).path, id(5)))).toEqual({ role: "comment", partId: DEPOTS });
  expect(of(recordPaths.file(pageHome(DEPOTS).path, "cover"))).toEqual({ role: "file", partId: DEPOTS });
  expect(of(recordPaths.page(recordPaths.templateHome(BELTS_SOURCE, TEMPLATE)))).toMatchObject({
    role: "part",
  });
  for (const path of [
    recordPaths.source(BELTS_SOURCE),
    recordPaths.roots,
    "pages/../x/page.json",
    "state.json",
  ])
    expect(of(path)).toBeNull();
  const table = await belts(await world().take());
  expect(table.roleOf({ path: recordPaths.page(row.path), kind: "" })).toEqual({ role: "part", id: row.id });
  expect(table.roleOf({ path: recordPaths.page(rowHome(CREWS_SOURCE, NIGHT).path), kind: "" })).toBeNull();
});

test("the entry of a data source says which table it is, and no other entry does", async () => {
  const snapshot = await world().take();
  const pages = openPages(snapshot);
  const tables = (await allOf(pages.all(null))).flatMap(({ type, id }) => (type === "table" ? [id] : []));
  const told: string[] = [];
  for (const { path, kind } of await allOf(snapshot.list(""))) {
    const id = pages.tableAt?.(path) ?? null;
    expect([path, id !== null]).toEqual([path, kind === "data-source"]);
    if (id !== null) told.push(id);
  }
  expect(told.sort()).toEqual(tables.sort());
});

test("a list of children reads nothing of the rows and pages beside it", async () => {
  const snapshot = await world().take();
  const read: string[] = [];
  const readRecord = (path: string) => {
    read.push(path);
    return snapshot.readRecord(path);
  };
  const watched = { ...snapshot, readRecord };
  await allOf(openPages(watched).children(DEPOTS, null));
  expect(
    read.every((path) => path.startsWith(`pages/${DEPOTS}`) || path.startsWith(`pages/${LEIPZIG}`)),
    read.join(),
  ).toBe(true);
  read.length = 0;
  await allOf(openPages(watched).all(null));
  expect(read.filter((path) => path.startsWith("pages/") || path.includes("/rows/"))).toEqual([]);
});

test("titles keep their formatting out, and a page without a title has none", async () => {
  const version = new TestVersion()
    .root("page", id(1))
    .page(id(1), "")
    .root("page", id(2))
    .page(id(2), "A_b *c*");
  const rich = piece("Bold", { bold: true });
  version.page(id(3), "Bold", [], {
    facts: { properties: { title: { id: "title", type: "title", title: [rich] } } },
  });
  const pages = openPages(await version.root("page", id(3)).take());
  expect((await allOf(pages.children(null, null))).map(({ title }) => title)).toEqual([
    "",
    "A_b *c*",
    "Bold",
  ]);
});
