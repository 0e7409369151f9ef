import { expect, test } from "vitest";
import type { Note } from "#connectors/contract/note.ts";
import type { EntryInfo, SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { allOf } from "#tests/harness/all-of.ts";
import { mergeNotes } from "./merge-notes.ts";
import { newestNotes } from "./newest-notes.ts";
import { walkFoldersBack } from "./walk-folders.ts";

/** A version with these paths that counts the entries read. */
function versionOf(paths: string[]): { snapshot: SnapshotView; seen: () => number } {
  const sorted = paths.toSorted();
  let seen = 0;
  const entry = (path: string): EntryInfo => {
    seen += 1;
    return { path, kind: "x", type: "record", sizeBytes: 1, hash: "" };
  };
  async function* list(prefix = "", after = "") {
    for (const path of sorted) if (path.startsWith(prefix) && path > after) yield entry(path);
  }
  async function* listBack(prefix = "", before = "") {
    for (const path of sorted.toReversed())
      if (path.startsWith(prefix) && (before === "" || path < before)) yield entry(path);
  }
  const find = async (path: string) => (sorted.includes(path) ? entry(path) : null);
  return { snapshot: { list, listBack, find } as unknown as SnapshotView, seen: () => seen };
}

const noteOf = (path: string, at: number | null): Note => ({
  ...{ path, at, type: "comment", author: null, editedAt: null, text: "" },
  ...{ about: null, answers: null, reactions: [], files: [] },
});
/** The number at the end of a path is its time. */
const timed = async ({ path }: EntryInfo) => noteOf(path, Number(/(\d+)$/.exec(path)?.[1]));
const inFolder = (folder: string, times: number[]) =>
  times.map((time) => `${folder}${String(time).padStart(3, "0")}`);
const timesOf = (notes: readonly Note[]) => notes.map(({ at }) => at);

test("notes of several folders merge by time, and a page reads few notes beyond its own", async () => {
  const { snapshot } = versionOf([
    ...inFolder("t/a/", [1, 4, 5, 20]),
    ...inFolder("t/b/", [2, 3, 30]),
    ...inFolder("u/a/", [0, 99]),
  ]);
  const read: string[] = [];
  const source = (prefix: string) => ({
    prefix,
    read: async (entry: EntryInfo) => {
      read.push(entry.path);
      return await timed(entry);
    },
  });
  const sources = [source("t/a/"), source("t/b/"), source("t/none/")];
  const pages: (number | null)[][] = [];
  for (let after: string | null = null; ; ) {
    read.length = 0;
    const page = await mergeNotes(snapshot, sources, { after, most: 2 });
    expect(read.length).toBeLessThanOrEqual(4);
    pages.push(timesOf(page.notes));
    after = page.next;
    if (after === null) break;
  }
  expect(pages).toEqual([[1, 2], [3, 4], [5, 20], [30]]);
});

test("a note without a time keeps its place in its folder, other records are skipped, and an invalid mark starts over", async () => {
  const { snapshot } = versionOf([...inFolder("a/", [1, 2, 3]), ...inFolder("b/", [9])]);
  const sources = [
    {
      prefix: "a/",
      read: async (entry: EntryInfo) =>
        entry.path.endsWith("1") ? null : noteOf(entry.path, entry.path.endsWith("2") ? 10 : null),
    },
    { prefix: "b/", read: timed },
  ];
  const { notes, next } = await mergeNotes(snapshot, sources, { after: null, most: 10 });
  expect([notes.map(({ path }) => path), next]).toEqual([["b/009", "a/002", "a/003"], null]);
  const anew = await mergeNotes(snapshot, sources, { after: "of one folder", most: 10 });
  expect(anew.notes).toHaveLength(3);
});

test("newest notes come first, and unwanted entries are not read", async () => {
  const { snapshot } = versionOf(inFolder("a/", [1, 2, 3, 4, 5]));
  const read: string[] = [];
  const ask = (after: string | null) =>
    newestNotes(
      snapshot,
      { prefix: "a/", range: { after, most: 2 }, isWanted: ({ path }) => !path.endsWith("4") },
      async (entry) => {
        read.push(entry.path);
        return await timed(entry);
      },
    );
  const first = await ask(null);
  expect([timesOf(first.notes), first.next]).toEqual([[5, 3], "a/003"]);
  const second = await ask(first.next);
  expect([timesOf(second.notes), second.next]).toEqual([[2, 1], null]);
  expect(read).toEqual(["a/005", "a/003", "a/002", "a/001"]);
});

test("folders are walked from last to first without reading their contents", async () => {
  const folders = Array.from({ length: 40 }, (_, at) => `t/${String(at).padStart(3, "0")}/`);
  const inside = Array.from({ length: 500 }, (_, at) => `notes/${String(at).padStart(3, "0")}`);
  const { snapshot, seen } = versionOf([
    ...folders.flatMap((folder) => [`${folder}thing.json`, ...inside.map((name) => folder + name)]),
    ...["t/020a/notes/1", "t/loose.json", "s/001/thing.json"],
  ]);
  const walk = async (before: string | null) =>
    (await allOf(walkFoldersBack(snapshot, { prefix: "t/", file: "thing.json", before }))).map(
      ({ path }) => path,
    );
  const all = folders.map((folder) => `${folder}thing.json`).toReversed();
  expect(await walk(null)).toEqual(all);
  expect(seen()).toBeLessThan(folders.length * 3);
  expect(await walk("012")).toEqual(all.slice(28));
  expect(await walk("000")).toEqual([]);
});
