import { expect, test } from "vitest";
import type { FileNode, FileTree } from "#connectors/contract/file-tree.ts";
import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import type { EntryInfo, SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { gatherNames } from "./gather-names.ts";

type Named = [kind: string, path: string, title?: string];

function versionOf(entries: readonly Named[]): SnapshotView {
  const counts: Record<string, number> = {};
  for (const [kind] of entries) counts[kind] = (counts[kind] ?? 0) + 1;
  const sorted = [...entries].sort(([, a], [, b]) => (a < b ? 1 : -1));
  return {
    counts: () => counts,
    async *listBack() {
      for (const [kind, path, title] of sorted)
        yield { kind, path, type: "record", ...(title !== undefined && { title }) } as EntryInfo;
    },
  } as unknown as SnapshotView;
}

/** A tree of files from its paths. */
function treeOf(paths: readonly string[]): { files: FileTree; read: string[] } {
  const read: string[] = [];
  const node = (name: string, kind: FileNode["kind"], id: string) => ({
    name,
    kind,
    id,
    isExecutable: false,
  });
  const files = {
    obstacle: null,
    refs: [
      { name: "refs/heads/main", id: "tip" },
      { name: "refs/heads/old", id: "other" },
    ],
    find: async (state: string) => (state === "tip" ? node("", "folder", "") : null),
    async list(folder: string) {
      read.push(folder);
      const inside = paths.filter((path) => path.startsWith(folder)).map((path) => path.slice(folder.length));
      const names = [...new Set(inside.map((path) => path.split("/", 1)[0]!))];
      return names.map((name) =>
        inside.includes(name) ? node(name, "file", name) : node(name, "folder", `${folder}${name}/`),
      );
    },
  };
  return { files: files as unknown as FileTree, read };
}

const connectorOf = (kinds: string[], tree?: FileTree) =>
  ({
    descriptor: { names: { kinds, files: ["code"] } },
    views: async () => (tree ? [{ kind: "files", id: "code", label: "Files", open: async () => tree }] : []),
  }) as unknown as PlatformConnector;

const MOST = { names: 100, folders: 10 };

test("titles are in the order of the kinds, the newest entries of a kind first, without those that have no title", async () => {
  const view = versionOf([
    ["list", "lists/1", "To do"],
    ["card", "cards/1", "Old\n card "],
    ["card", "cards/2", "New"],
    ["card", "cards/3", "  "],
    ["card", "cards/4"],
    ["comment", "comments/1", "not wanted"],
  ]);
  const { names, isCut } = await gatherNames({ connector: connectorOf(["card", "list"]), view }, MOST);
  expect(names.map(({ kind, title, path }) => [kind, title, path])).toEqual([
    ["card", "New", "cards/2"],
    ["card", "Old card", "cards/1"],
    ["list", "To do", "lists/1"],
  ]);
  expect(isCut).toBe(false);
});

test("a full index keeps the newest names of the first kinds, and says that it is cut", async () => {
  const cards = Array.from({ length: 12 }, (_, at): Named => ["card", `cards/${10 + at}`, `c${at}`]);
  const view = versionOf([...cards, ["list", "lists/1", "To do"]]);
  const gathered = async (names: number) =>
    gatherNames({ connector: connectorOf(["list", "card"]), view }, { ...MOST, names });
  expect(await gathered(13)).toMatchObject({ isCut: false });
  const { names, isCut } = await gathered(3);
  expect([names.map(({ title }) => title), isCut]).toEqual([["To do", "c11", "c10"], true]);
});

test("paths of the default branch follow, the folders nearest the root first, within their budget", async () => {
  const paths = ["a/deep/x.ts", "a/b.ts", "readme.md", "z/y.ts"];
  const gathered = async (most: typeof MOST) => {
    const { files, read } = treeOf(paths);
    const view = versionOf([["issue", "issues/1", "One"]]);
    const { names, isCut } = await gatherNames({ connector: connectorOf(["issue"], files), view }, most);
    return { names: names.map(({ title, path }) => [title, path]), isCut, read };
  };
  expect(await gathered(MOST)).toEqual({
    names: [
      ["One", "issues/1"],
      ["readme.md", ":file:code:refs/heads/main:readme.md"],
      ["a/b.ts", ":file:code:refs/heads/main:a/b.ts"],
      ["z/y.ts", ":file:code:refs/heads/main:z/y.ts"],
      ["a/deep/x.ts", ":file:code:refs/heads/main:a/deep/x.ts"],
    ],
    isCut: false,
    read: ["", "a/", "z/", "a/deep/"],
  });
  expect(await gathered({ ...MOST, folders: 1 })).toMatchObject({ names: { length: 2 }, isCut: true });
  expect(await gathered({ ...MOST, names: 3 })).toMatchObject({ names: { length: 3 }, isCut: true });
  expect(await gathered({ ...MOST, names: 5 })).toMatchObject({ names: { length: 5 }, isCut: false });
});

test("no entry is listed when the version has none of the kinds", async () => {
  const view = { counts: () => ({ other: 3 }) } as unknown as SnapshotView;
  expect(await gatherNames({ connector: connectorOf(["card"]), view }, MOST)).toEqual({
    names: [],
    isCut: false,
  });
});
