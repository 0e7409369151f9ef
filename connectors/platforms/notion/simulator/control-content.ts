import { Hono } from "hono";
import { z } from "zod";
import type { Json } from "#core/kernel/canonical-json.ts";
import { getPerson, getWorkspace } from "./control-parts.ts";
import { dumpThing } from "./dump.ts";
import { generate } from "./generate.ts";
import { seedEverything } from "./seed-everything.ts";
import { seedFleet } from "./seed-fleet.ts";
import { seedKit, text } from "./seed-kit.ts";
import type { Fields, NotionWorld } from "./state.ts";
import { createBlock, findThing, moveThing, now, pageOf, touch, workspaceOf } from "./store.ts";

const login = z.string().default("nora");
/** Without a bump, as property toggles that do not change `last_edited_time` [notion-sync]. */
const isSilent = z.boolean().default(false);
const place = {
  login,
  workspace: z.string().optional(),
  /** Null = at the top of the workspace. */
  parentId: z.string().nullable().default(null),
};
const pageOrder = z.strictObject({
  ...place,
  title: z.string(),
  /** A first paragraph. */
  text: z.string().optional(),
  /** `everything` = one block of each kind; `table` = a table with each kind of property; `fleet` = both. */
  content: z.enum(["empty", "everything", "table", "fleet"]).default("empty"),
  files: z.array(z.strictObject({ name: z.string(), text: z.string() })).default([]),
});
const pageEdit = z.strictObject({
  login,
  isSilent,
  title: z.string().optional(),
  /** Replaces the first paragraph, or adds it. */
  text: z.string().optional(),
  isLocked: z.boolean().optional(),
});
const blockOrder = z.strictObject({
  login,
  isSilent,
  parentId: z.string(),
  type: z.string().default("paragraph"),
  text: z.string().default(""),
  payload: z.record(z.string(), z.unknown()).optional(),
});
const blockEdit = z.strictObject({ login, isSilent, text: z.string() });
const tableOrder = z.strictObject({ ...place, title: z.string(), rows: z.array(z.string()).default([]) });
const rowOrder = z.strictObject({ login, dataSourceId: z.string(), title: z.string() });
const commentOrder = z.strictObject({
  login,
  onId: z.string(),
  text: z.string(),
  discussionId: z.string().optional(),
});
const count = z.number().int().min(0).default(0);
const generateOrder = z.strictObject({
  ...{ login, rootId: z.string(), pages: count, blocks: count, rows: count, rowBlocks: count },
  ...{ comments: count, files: count, fileBytes: z.number().int().min(0).default(1_000) },
});

/** What people do to pages, tables and comments. */
export function contentControl(world: NotionWorld): Hono {
  const app = new Hono();
  app.route("/", makingControl(world));
  app.route("/", editingControl(world));
  app.get("/things/:id/dump", (c) => c.json(dumpThing(world, c.req.param("id"))));
  app.post("/generate", async (c) => {
    const { login: name, rootId, ...order } = generateOrder.parse(await c.req.json());
    return c.json(generate(world, { rootId, by: getPerson(world, name).id }, order));
  });
  return app;
}

function makingControl(world: NotionWorld): Hono {
  const app = new Hono();
  const kitFor = (order: { login: string; workspace?: string | undefined; parentId: string | null }) => {
    const person = getPerson(world, order.login);
    const home = getWorkspace(world, person, order.workspace).id;
    const workspaceId = order.parentId === null ? home : workspaceOf(world, order.parentId);
    const other = world.state.people.find(
      ({ id, workspaceIds }) => id !== person.id && workspaceIds.includes(workspaceId),
    );
    return { kit: seedKit(world, workspaceId, now(world)), by: person.id, other: other?.id ?? person.id };
  };
  app.post("/pages", async (c) => {
    const order = pageOrder.parse(await c.req.json());
    const { kit, by, other } = kitFor(order);
    kit.hold();
    const { parentId, title, content } = order;
    const page =
      content === "empty" || content === "table"
        ? kit.page(by, parentId, title)
        : seedEverything(kit, parentId, title, { by, other });
    if (content === "table" || content === "fleet") seedFleet(kit, page.id, { by, other });
    if (order.text !== undefined) kit.write(by, page.id, "paragraph", order.text);
    for (const file of order.files) {
      const kept = kit.file(file.name, "text/plain", new TextEncoder().encode(file.text));
      kit.block(by, page.id, "file", { ...kept, caption: [], name: file.name });
    }
    return c.json({ id: page.id });
  });
  app.post("/tables", async (c) => {
    const order = tableOrder.parse(await c.req.json());
    const { kit, by } = kitFor(order);
    kit.hold();
    const schema = { title: { name: "Name", type: "title" } };
    const { database, source } = kit.database(by, order.parentId, order.title, schema);
    const body: Fields = { name: "Table", type: "table", configuration: { type: "table" } };
    const view = kit.view(by, database, source.id, body);
    const rowIds = order.rows.map((title) => kit.row(by, source, { title }).id);
    return c.json({ id: database.id, dataSourceId: source.id, viewId: view.id, rowIds });
  });
  app.post("/rows", async (c) => {
    const order = rowOrder.parse(await c.req.json());
    const { kit, by } = kitFor({ ...order, parentId: order.dataSourceId });
    kit.hold();
    const source = world.state.dataSources[order.dataSourceId];
    if (!source) throw new Error(`There is no data source ${order.dataSourceId}`);
    const [titleId = "title"] =
      Object.entries(source.properties).find(([, { type }]) => type === "title") ?? [];
    return c.json({ id: kit.row(by, source, { [titleId]: order.title }).id });
  });
  app.post("/comments", async (c) => {
    const order = commentOrder.parse(await c.req.json());
    const { kit, by } = kitFor({ login: order.login, parentId: order.onId });
    kit.hold();
    const { id, discussionId } = kit.comment(by, order.onId, order.text, order.discussionId);
    return c.json({ id, discussionId });
  });
  app.post("/blocks", async (c) => {
    const order = blockOrder.parse(await c.req.json());
    const by = getPerson(world, order.login).id;
    const payload = (order.payload as Fields | undefined) ?? {
      rich_text: [text(order.text)],
      color: "default",
    };
    const before = pageOf(world, order.parentId);
    const stamps = before && { editedAt: before.editedAt, editedBy: before.editedBy };
    const { id } = createBlock(world, { parentId: order.parentId, type: order.type, payload, by });
    if (order.isSilent && before && stamps) Object.assign(before, stamps);
    return c.json({ id });
  });
  return app;
}

function editingControl(world: NotionWorld): Hono {
  const app = new Hono();
  const thing = (id: string) => {
    const found = findThing(world, id);
    if (!found) throw new Error(`There is no ${id}`);
    return found;
  };
  app.post("/pages/:id/edit", async (c) => {
    const id = c.req.param("id");
    const page = world.state.pages[id];
    if (!page) throw new Error(`There is no page ${id}`);
    const edit = pageEdit.parse(await c.req.json());
    const by = getPerson(world, edit.login).id;
    const stamps = { editedAt: page.editedAt, editedBy: page.editedBy };
    if (edit.isLocked !== undefined) page.isLocked = edit.isLocked;
    if (edit.title !== undefined) {
      const [key = "title"] = Object.entries(page.values).find(([, { type }]) => type === "title") ?? [];
      page.values[key] = { type: "title", title: [text(edit.title)] };
    }
    if (edit.text !== undefined) writeFirst(world, id, edit.text, by);
    if (edit.isSilent) Object.assign(page, stamps);
    else touch(world, id, by);
    return c.body(null, 204);
  });
  app.post("/blocks/:id/edit", async (c) => {
    const id = c.req.param("id");
    const block = world.state.blocks[id];
    if (!block) throw new Error(`There is no block ${id}`);
    const edit = blockEdit.parse(await c.req.json());
    block.payload = { ...block.payload, rich_text: [text(edit.text)] };
    if (!edit.isSilent) touch(world, id, getPerson(world, edit.login).id);
    return c.body(null, 204);
  });
  app.post("/things/:id/move", async (c) => {
    const order = z.strictObject({ login, parentId: z.string().nullable() }).parse(await c.req.json());
    moveThing(world, c.req.param("id"), order.parentId, getPerson(world, order.login).id);
    return c.body(null, 204);
  });
  app.post("/things/:id/trash", (c) => {
    thing(c.req.param("id")).thing.isTrashed = true;
    return c.body(null, 204);
  });
  app.post("/things/:id/bring-back", (c) => {
    thing(c.req.param("id")).thing.isTrashed = false;
    return c.body(null, 204);
  });
  // Out of the trash for good: the API no longer knows it.
  app.post("/things/:id/delete", (c) => {
    const id = c.req.param("id");
    const { state } = world;
    thing(id).thing.isTrashed = true;
    for (const all of [state.pages, state.blocks, state.databases, state.dataSources]) delete all[id];
    for (const source of Object.values(state.dataSources)) {
      source.rowIds = source.rowIds.filter((each) => each !== id);
      source.templateIds = source.templateIds.filter((each) => each !== id);
    }
    return c.body(null, 204);
  });
  app.post("/comments/:id/resolve", (c) => {
    const comment = world.state.comments[c.req.param("id")];
    if (!comment) throw new Error("There is no such comment");
    for (const each of Object.values(world.state.comments))
      if (each.discussionId === comment.discussionId) each.isResolved = true;
    return c.body(null, 204);
  });
  return app;
}

/** Changes the first paragraph of a page, or adds one. */
function writeFirst(world: NotionWorld, pageId: string, content: string, by: string): void {
  const richText: Json[] = [text(content)];
  const ids = world.state.children[pageId] ?? [];
  const first = ids.find((id) => world.state.blocks[id]?.type === "paragraph");
  if (first === undefined) {
    const payload = { rich_text: richText, icon: null, color: "default" };
    createBlock(world, { parentId: pageId, type: "paragraph", payload, by });
    return;
  }
  const block = world.state.blocks[first]!;
  block.payload = { ...block.payload, rich_text: richText };
  touch(world, first, by);
}
