import { expect, test } from "vitest";
import type { BoardView } from "#connectors/contract/board-view.ts";
import type { EntryRole } from "#connectors/contract/entry-role.ts";
import type { Note, NoteRange, Notes } from "#connectors/contract/note.ts";
import type { PagesView } from "#connectors/contract/pages-view.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { TableView } from "#connectors/contract/table-view.ts";
import type { ThreadsView } from "#connectors/contract/thread-view.ts";
import type { View } from "#connectors/contract/view.ts";
import { findPlace } from "#core/browsing/index.ts";
import { gatherNames } from "#core/names/gather-names.ts";
import { allOf } from "#tests/harness/all-of.ts";
import type { Suite } from "./suite.ts";

/** Safe in any part of a URL. */
const ADDRESS = /^[a-z0-9]+(-[a-z0-9]+)*$/;
/** Ids that no version has. Some would escape their folder if used as a path. */
const FOREIGN_IDS = ["", "none", "../board", "1/../1", "__proto__", "%2e%2e", "0"];
const EVERYTHING = 100_000;

/** A part in a list: a card, a thread, a page, a row. */
type Listed = { id: string; path: string; title: string };

/** The common interface of all views except files. */
type Parts = {
  list(after: string | null): AsyncIterable<Listed>;
  /** Whether a list can start after a part. */
  canResume: boolean;
  open(id: string): Promise<Listed | null>;
  /** Parts that the list does not show: rows of tables among pages. */
  hidden?(): AsyncIterable<Listed>;
  /** Each list of notes of a part. */
  notes: readonly { isOldestFirst: boolean; read(id: string, range: NoteRange): Promise<Notes> }[];
  comment(path: string): Promise<Note | null>;
  roleOf(entry: { path: string; kind: string }): EntryRole | null;
};

/** The views of a version: ids, lists, parts and notes. */
export function describeViews(name: string, suite: Suite): void {
  const take = async () => await suite.backUp(await suite.getItem(suite.world().item));

  test(`${name}: views have unique ids and labels, and equal versions have equal views`, async () => {
    const rows = async (snapshot: SnapshotView) =>
      (await viewsOf(suite, snapshot)).map(({ kind, id, label }) => ({ kind, id, label }));
    const views = await rows(await take());
    expect(new Set(views.map(({ id }) => id)).size).toBe(views.length);
    for (const { id, label } of views) {
      expect(id).toMatch(ADDRESS);
      expect(label.trim()).not.toBe("");
    }
    expect(await rows(await take())).toEqual(views);
  });

  test(`${name}: what is found by its name has a label and is seen somewhere in the version`, async () => {
    const { connector } = suite;
    const { kinds } = connector.descriptor.names;
    for (const kind of kinds) expect(connector.entryKinds).toHaveProperty(kind);
    const view = await take();
    const { names } = await gatherNames({ connector, view });
    // A gist has only files, which can be read once a check has indexed them.
    const hasTitles = kinds.some((kind) => (view.counts()[kind] ?? 0) > 0);
    expect(names.length > 0).toBe(hasTitles);
    for (const { path } of names)
      expect(await findPlace({ connector, view } as never, path), path).not.toBeNull();
  });

  test(`${name}: lists of a view have no gaps from any start, and every row opens`, async () => {
    const snapshot = await take();
    for (const view of await viewsOf(suite, snapshot)) {
      const parts = await partsOf(view);
      if (parts === null) continue;
      const all = await allOf(parts.list(null));
      expect(new Set(all.map(({ id }) => id)).size, view.id).toBe(all.length);
      for (const [at, row] of all.entries()) {
        expect((await parts.open(row.id))?.title, row.path).toBe(row.title);
        const entry = await snapshot.find(row.path);
        expect(entry && parts.roleOf(entry), row.path).toEqual({ role: "part", id: row.id });
        if (!parts.canResume) continue;
        const rest = await allOf(parts.list(row.id));
        expect(rest.map(({ id }) => id)).toEqual(all.slice(at + 1).map(({ id }) => id));
      }
      for await (const row of hiddenOf(parts))
        expect((await parts.open(row.id))?.title, row.path).toBe(row.title);
      for (const id of FOREIGN_IDS) expect(await parts.open(id), `${view.id} ${id}`).toBeNull();
    }
  });

  test(`${name}: notes of a part are ordered and unique, and each comment is found by its path`, async () => {
    const snapshot = await take();
    for (const view of await viewsOf(suite, snapshot)) {
      const parts = await partsOf(view);
      if (parts === null) continue;
      for await (const { id } of parts.list(null)) {
        for (const { isOldestFirst, read } of parts.notes) {
          const { notes } = await read(id, { after: null, most: EVERYTHING });
          const paged: Note[] = [];
          for (let after: string | null = null; ; ) {
            const page: Notes = await read(id, { after, most: 2 });
            expect(page.notes.length).toBeLessThanOrEqual(2);
            paged.push(...page.notes);
            after = page.next;
            if (after === null) break;
          }
          expect(paged, `${view.id} ${id}`).toEqual(notes);
          const times = notes.flatMap(({ at }) => (at === null ? [] : [at]));
          expect(times).toEqual(times.toSorted((a, b) => (isOldestFirst ? a - b : b - a)));
          for (const note of notes) {
            const entry = await snapshot.find(note.path);
            expect(entry && parts.roleOf(entry), note.path).toMatchObject({ partId: id });
            expect(await parts.comment(note.path)).toEqual(note.type === "comment" ? note : null);
          }
        }
      }
      for (const path of ["", "none.json", "../state.json"]) expect(await parts.comment(path)).toBeNull();
    }
  });

  test(`${name}: every entry that a view assigns to a part is in that part`, async () => {
    const snapshot = await take();
    for (const view of await viewsOf(suite, snapshot)) {
      const parts = await partsOf(view);
      if (parts === null) continue;
      const ids = new Set<string>();
      for await (const { id } of parts.list(null)) ids.add(id);
      for await (const { id } of hiddenOf(parts)) ids.add(id);
      for await (const entry of snapshot.list()) {
        const role = parts.roleOf(entry);
        if (role === null || role.role === "column") continue;
        expect(ids.has(role.role === "part" ? role.id : role.partId), entry.path).toBe(true);
      }
    }
  });
}

async function* hiddenOf({ hidden }: Parts): AsyncGenerator<Listed, void> {
  if (hidden) yield* hidden();
}

async function viewsOf({ connector }: Suite, snapshot: SnapshotView): Promise<readonly View[]> {
  return (await connector.views?.(snapshot)) ?? [];
}

async function partsOf(view: View): Promise<Parts | null> {
  switch (view.kind) {
    case "files":
      return null;
    case "board":
      return boardParts(await view.open());
    case "thread":
      return await threadParts(await view.open());
    case "pages":
      return pageParts(await view.open());
    case "table":
      return await rowParts(await view.open());
    default:
      return view satisfies never;
  }
}

function boardParts(board: BoardView): Parts {
  return {
    list: () => board.cards(),
    canResume: false,
    open: board.card,
    notes: [{ isOldestFirst: false, read: board.comments }],
    comment: board.comment,
    roleOf: board.roleOf,
  };
}

async function threadParts(threads: ThreadsView): Promise<Parts> {
  const all = await allOf(threads.threads(null));
  expect(all).toHaveLength(threads.count);
  for (const [at, { id }] of all.entries())
    expect(await threads.neighbours(id), id).toEqual({
      newer: all[at - 1]?.id ?? null,
      older: all[at + 1]?.id ?? null,
    });
  return {
    list: threads.threads,
    canResume: true,
    open: threads.thread,
    notes: [{ isOldestFirst: true, read: threads.notes }],
    comment: threads.comment,
    roleOf: threads.roleOf,
  };
}

function pageParts(pages: PagesView): Parts {
  return {
    async *list(after) {
      for await (const node of pages.all(after)) if (node.type === "page") yield node;
    },
    canResume: true,
    open: pages.page,
    async *hidden() {
      for await (const { id, type } of pages.all(null)) {
        if (type === "page") continue;
        const table = await pages.table(id);
        if (table === null) throw new Error(`The table ${id} is listed and does not open`);
        // A table that has a view of its own has its rows there.
        for await (const row of table.rows(null)) if (pages.roleOf({ ...row, kind: "" }) !== null) yield row;
      }
    },
    notes: [{ isOldestFirst: true, read: pages.comments }],
    comment: pages.comment,
    roleOf: pages.roleOf,
  };
}

async function rowParts(table: TableView): Promise<Parts> {
  const { columns, layouts } = await table.facts();
  const ids = new Set(columns.map(({ id }) => id));
  expect(layouts.length).toBeGreaterThan(0);
  for (const layout of layouts) for (const id of layout.columns) expect(ids.has(id), id).toBe(true);
  return {
    list: table.rows,
    canResume: true,
    open: table.row,
    notes: [{ isOldestFirst: true, read: table.comments }],
    comment: table.comment,
    roleOf: table.roleOf,
  };
}
