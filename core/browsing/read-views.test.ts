import { expect, test } from "vitest";
import type { PageNode, PagesView } from "#connectors/contract/pages-view.ts";
import type { TableView } from "#connectors/contract/table-view.ts";
import type { SearchedThread, ThreadsView } from "#connectors/contract/thread-view.ts";
import type { View } from "#connectors/contract/view.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { listViews, type Viewed } from "./open-view.ts";
import { readPageList, readPagePage } from "./read-pages.ts";
import { readRowPage, readTablePage } from "./read-table.ts";
import { readThreadList, readThreadPage } from "./read-threads.ts";

const missing = new AppError("err.not.found");
const asStored = { shown: "all", search: null, after: null } as const;
const NO_NOTES = { notes: [], next: null };

const entryKinds = {
  comment: { one: "comment", many: "comments" },
  file: { one: "file", many: "files" },
  vote: { one: "vote", many: "votes" },
};

/** A version with these views and entries; without any views, its platform defines none. */
function versionWith(
  views?: View[],
  entries: { path: string; kind: string; parent?: string }[] = [],
): Viewed {
  async function* list(prefix: string) {
    yield* entries.filter(({ path }) => path.startsWith(prefix));
  }
  const connector = { entryKinds, ...(views && { views: async () => views }) };
  return { connector, view: { list } } as unknown as Viewed;
}

async function* behind<T extends { id: string }>(lines: readonly T[], after: string | null) {
  yield* lines.slice(after === null ? 0 : lines.findIndex(({ id }) => id === after) + 1);
}

function threadOf(id: string, more: Partial<SearchedThread> = {}): SearchedThread {
  return {
    ...{ id, path: `issues/${id}.json`, key: `#${id}`, title: `Issue ${id}`, author: null, at: null },
    ...{ state: { label: "Open", isOpen: true }, tags: [], words: "", ...more },
  };
}

function threadsOf(threads: SearchedThread[], read: string[] = []): View {
  const view: ThreadsView = {
    words: { one: "issue", many: "issues" },
    count: threads.length,
    hasStates: true,
    async *threads(after) {
      for await (const thread of behind(threads, after)) {
        read.push(thread.id);
        yield thread;
      }
    },
    async thread(id) {
      const found = threads.find((thread) => thread.id === id);
      if (!found) return null;
      const { words: text, ...row } = found;
      const bare = { editedAt: null, url: null, reactions: [], fields: [], files: [] };
      return { ...row, ...bare, text, proposal: null, comesBackAs: null };
    },
    async neighbours(id) {
      const at = threads.findIndex((thread) => thread.id === id);
      return { newer: threads[at - 1]?.id ?? null, older: threads[at + 1]?.id ?? null };
    },
    notes: async () => NO_NOTES,
    comment: async () => null,
    roleOf: ({ path, kind }) => {
      const partId = path.split("/")[1] ?? "";
      if (kind === "comment") return { role: "comment", partId };
      return kind === "vote" ? { role: "value", partId } : null;
    },
  };
  return { kind: "thread", id: "issues", label: "Issues", open: async () => view };
}

const query = { viewId: null, state: null, search: null, after: null };
const ids = (page: { rows: { id: string }[] }) => page.rows.map(({ id }) => id);

test("a version without views lists none, and a missing view is not found", async () => {
  expect(await listViews(versionWith())).toEqual({ views: [] });
  const open = versionWith([threadsOf([])]);
  expect(await listViews(open)).toEqual({ views: [{ kind: "thread", id: "issues", label: "Issues" }] });
  await expect(readThreadList(versionWith(), query)).rejects.toThrow(missing);
  await expect(readThreadList(open, { ...query, viewId: "pulls" })).rejects.toThrow(missing);
  await expect(readTablePage(open, { viewId: "issues", tableId: null, ...asStored })).rejects.toThrow(
    missing,
  );
});

test("a list of threads reads only its page and continues after its last row", async () => {
  const read: string[] = [];
  const open = versionWith([
    threadsOf(
      Array.from({ length: 1_000 }, (_, at) => threadOf(String(at))),
      read,
    ),
  ]);
  const first = await readThreadList(open, query);
  expect([first.rows.length, first.next, first.isPaused, first.count]).toEqual([50, "49", false, 1_000]);
  expect(read).toHaveLength(51);
  const second = await readThreadList(open, { ...query, after: first.next });
  expect(ids(second)[0]).toBe("50");
});

test("threads are filtered by state, words, labels, key and author", async () => {
  const open = versionWith([
    threadsOf([
      threadOf("1", { title: "Göteborg" }),
      threadOf("2", { words: "from goteborg by night" }),
      threadOf("3", { author: "Goteborgare", state: { label: "Closed", isOpen: false } }),
      threadOf("4", { tags: [{ name: "GÖTEBORG", hue: null, shade: "normal" }], state: null }),
      threadOf("5"),
    ]),
  ]);
  const found = await readThreadList(open, { ...query, search: "göteborg" });
  expect(ids(found)).toEqual(["1", "2", "3", "4"]);
  expect(JSON.stringify(found)).not.toContain("by night");
  expect(ids(await readThreadList(open, { ...query, search: "#5" }))).toEqual(["5"]);
  expect(ids(await readThreadList(open, { ...query, state: "closed" }))).toEqual(["3"]);
  expect(ids(await readThreadList(open, { ...query, state: "open" }))).toEqual(["1", "2", "5"]);
});

test("a search with few matches pauses, reports it and resumes to the end", async () => {
  const threads = Array.from({ length: 4_500 }, (_, at) =>
    threadOf(String(at), { words: at === 4_400 ? "needle" : "" }),
  );
  const open = versionWith([threadsOf(threads)]);
  const pages: [string[], string | null, boolean][] = [];
  for (let after: string | null = null; ; ) {
    const page = await readThreadList(open, { ...query, search: "needle", after });
    pages.push([ids(page), page.next, page.isPaused]);
    after = page.next;
    if (after === null) break;
  }
  expect(pages).toEqual([
    [[], "1999", true],
    [[], "3999", true],
    [["4400"], null, false],
  ]);
});

test("a thread opens by its id with its neighbours and what belongs to it, and a missing one is not found", async () => {
  const own = { parent: "issues/1.json" };
  const threads = ["3", "1", "0"].map((id) => threadOf(id, { words: "Text" }));
  const open = versionWith(
    [threadsOf(threads)],
    [
      { path: "issues/1.json", kind: "issue" },
      { path: "issues/1/files/a", kind: "file", ...own },
      { path: "issues/1/notes/1", kind: "comment", ...own },
      { path: "issues/1/notes/2", kind: "comment", ...own },
      { path: "issues/1/state", kind: "unnamed", ...own },
      // The thread shows it among its own facts.
      { path: "issues/1/votes", kind: "vote", ...own },
      { path: "issues/10/notes/2", kind: "comment", parent: "issues/10.json" },
    ],
  );
  const order = { viewId: "issues", threadId: "1", notesAfter: null };
  expect(await readThreadPage(open, order)).toMatchObject({
    view: { id: "issues" },
    words: { one: "issue" },
    thread: { key: "#1", text: "Text" },
    notes: NO_NOTES,
    noteCount: 2,
    neighbours: { newer: "3", older: "0" },
    belongs: [
      { kind: "comment", one: "comment", many: "comments", count: 2 },
      { kind: "file", one: "file", many: "files", count: 1 },
    ],
  });
  await expect(readThreadPage(open, { ...order, threadId: "2" })).rejects.toThrow(missing);
});

const node = (id: string, title: string, type: PageNode["type"] = "page"): PageNode => ({
  ...{ id, path: `pages/${id}.json`, type, title, icon: null, isArchived: false, childCount: null },
});

const table: TableView = {
  facts: async () => ({
    ...{ path: null, title: "Belts", icon: null, text: "", url: null, rowCount: 2 },
    columns: [{ id: "state", name: "State", type: "tags" }],
    layouts: [{ id: "all", label: "All", type: "table", columns: ["state"] }],
  }),
  async *rows(after) {
    const row = (id: string, name: string) => ({
      ...{ id, path: `rows/${id}.json`, key: null, title: `Belt ${id}`, isArchived: false, words: "" },
      cells: { state: { type: "tags" as const, tags: [{ name, hue: null, shade: "normal" as const }] } },
    });
    yield* behind([row("1", "Running"), row("2", "Watch frost")], after);
  },
  async row(id) {
    for await (const { words: _words, ...row } of this.rows(null)) {
      if (row.id !== id) continue;
      return { ...row, url: null, author: null, at: null, editedAt: null, blocks: [], files: [] };
    }
    return null;
  },
  comments: async () => NO_NOTES,
  comment: async () => null,
  roleOf: () => null,
};

const handbook = [node("h", "Handbook"), node("t", "Belts", "table")];
const depots = [node("l", "Leipzig, night shift"), node("w", "Wrocław")];
const pages: PagesView = {
  pageCount: 3,
  tableCount: 1,
  children: (parentId, after) => behind(parentId === null ? handbook : parentId === "h" ? depots : [], after),
  all: (after) => behind([...handbook, ...depots], after),
  async page(id) {
    const found = [...handbook, ...depots].find((each) => each.id === id && each.type === "page");
    if (!found) return null;
    return {
      ...{ ...found, crumbs: [], url: null, author: null, at: null, editedAt: null, fields: [], files: [] },
      blocks: [
        { type: "text", text: "# Belts" },
        { type: "table", id: "t", title: "Belts", isInline: true },
        {
          ...{ type: "toggle", title: "Fold" },
          blocks: [
            { type: "table", id: "gone", title: "Gone", isInline: true },
            { type: "table", id: "t", title: "Belts" },
          ],
        },
      ],
    };
  },
  comments: async () => NO_NOTES,
  comment: async () => null,
  table: async (id) => (id === "t" ? table : null),
  roleOf: () => null,
};
const workspace = versionWith([
  { kind: "pages", id: "pages", label: "Pages", open: async () => pages },
  { kind: "table", id: "all", label: "Everything", open: async () => table },
]);

test("pages are listed by level, found by title at any depth, and opened by id", async () => {
  const list = { viewId: null, parentId: null, search: null, after: null };
  const roots = await readPageList(workspace, list);
  expect(roots).toMatchObject({ view: { id: "pages" }, pageCount: 3, tableCount: 1, next: null });
  expect(roots.rows.map(({ id, type }) => [id, type])).toEqual([
    ["h", "page"],
    ["t", "table"],
  ]);
  expect(ids(await readPageList(workspace, { ...list, parentId: "h", after: "l" }))).toEqual(["w"]);
  expect(ids(await readPageList(workspace, { ...list, search: "LEIPZIG" }))).toEqual(["l"]);
  expect(ids(await readPageList(workspace, { ...list, type: "table" }))).toEqual(["t"]);
  expect(ids(await readPageList(workspace, { ...list, type: "page" }))).toEqual(["h", "l", "w"]);
  expect(ids(await readPageList(workspace, { ...list, type: "table", search: "leipzig" }))).toEqual([]);
  const order = { viewId: "pages", pageId: "l", commentsAfter: null };
  const { page, tables } = await readPagePage(workspace, order);
  expect(page.blocks.map(({ type }) => type)).toEqual(["text", "table", "toggle"]);
  // A table that is not in the version has no rows to show.
  expect(Object.keys(tables)).toEqual(["t"]);
  expect([tables.t?.layoutId, ...tables.t!.rows.map(({ title }) => title)]).toEqual([
    "all",
    "Belt 1",
    "Belt 2",
  ]);
  expect((await readPagePage(workspace, { ...order, commentsAfter: "c" })).tables).toEqual({});
  await expect(readPagePage(workspace, { ...order, pageId: "t" })).rejects.toThrow(missing);
});

test("a table opens on its own or inside a page, and its rows are found by the text of their cells", async () => {
  const alone = { viewId: "all", tableId: null };
  const within = { viewId: "pages", tableId: "t" };
  for (const address of [alone, within]) {
    const page = await readTablePage(workspace, { ...address, ...asStored });
    expect(page).toMatchObject({ view: { id: address.viewId }, facts: { title: "Belts" }, next: null });
    expect(ids(page)).toEqual(["1", "2"]);
    expect(JSON.stringify(page.rows)).not.toContain("words");
    const found = await readTablePage(workspace, { ...address, ...asStored, search: "frost" });
    expect(ids(found)).toEqual(["2"]);
    const row = { ...address, rowId: "2", commentsAfter: null };
    expect(await readRowPage(workspace, row)).toMatchObject({
      table: "Belts",
      columns: [{ id: "state" }],
      row: { title: "Belt 2" },
    });
    await expect(readRowPage(workspace, { ...row, rowId: "9" })).rejects.toThrow(missing);
  }
  for (const address of [
    { viewId: "pages", tableId: "none" },
    { viewId: "all", tableId: "t" },
    { viewId: "pages", tableId: null },
  ])
    await expect(readTablePage(workspace, { ...address, ...asStored })).rejects.toThrow(missing);
});
