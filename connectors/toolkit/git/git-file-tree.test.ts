import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { type GitWorkshop, openGitWorkshop } from "#connectors/toolkit/simulator/git-workshop.ts";
import { takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { gitFileTree } from "./git-file-tree.ts";
import { blob, commitText, forge, indexAll, objectEntry, oidOf, treeBytes } from "./test-packs.ts";

const BIDI = "invoice\u202Efdp.exe";
const LONG = "x".repeat(255);
let workshop: GitWorkshop;
beforeAll(() => {
  workshop = openGitWorkshop();
  workshop.git(".", ["init", "-q", "-b", "main", "r"]);
  workshop.write("r/README.md", "# Hello\n");
  workshop.write("r/src/deep/a.ts", "export const a = 1;\n");
  workshop.write(`r/odd/${LONG}`, "long\n");
  workshop.write(`r/odd/${BIDI}`, "bidi\n");
  workshop.write("r/odd/ü ?#&%2e.txt", "letters\n");
  workshop.commit("r", "First\n\nBody");
  workshop.git("r", ["tag", "-a", "-m", "Release", "v1"]);
  workshop.git("r", ["branch", "go/head"]);
  workshop.git("r", ["update-ref", "refs/pull/7/head", "HEAD"]);
  workshop.git("r", ["update-ref", "refs/changes/1", "HEAD"]);
  workshop.git("r", ["tag", "a-file", workshop.git("r", ["rev-parse", "HEAD:README.md"])]);
  workshop.write("r/run.sh", "#!/bin/sh\n");
  workshop.git("r", ["update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},module`]);
  workshop.git("r", ["add", "run.sh"]);
  workshop.git("r", ["commit", "-q", "-m", "Second"]);
  workshop.git("r", ["repack", "-adq"]);
});
afterAll(() => workshop.remove());

async function openTree({ indexed = true } = {}) {
  const folder = join(workshop.folder, "r/.git/objects/pack");
  const name = readdirSync(folder).find((each) => each.endsWith(".pack"))!;
  const write = (file: string) => async (sink: { write(bytes: Uint8Array): unknown }) => {
    await sink.write(readFileSync(join(folder, file)));
  };
  async function* events() {
    yield { type: "stream" as const, path: "git/packs/1.pack", kind: "git-pack", write: write(name) };
  }
  const snapshot = await takeSnapshot(events());
  const hash = (await snapshot.find("git/packs/1.pack"))!.hash;
  if (indexed)
    snapshot.companions.set(`${hash}/idx`, readFileSync(join(folder, name.replace(/pack$/, "idx"))));
  const lines = workshop.git("r", ["for-each-ref", "--format=%(refname) %(objectname)"]).split("\n");
  const refs = lines.map((line) => ({ name: line.split(" ")[0]!, oid: line.split(" ")[1]! }));
  const head = { target: "refs/heads/main", oid: null };
  const stored = {
    objectFormat: "sha1" as const,
    head,
    refs,
    packs: ["git/packs/1.pack"],
  };
  return gitFileTree(snapshot as SnapshotView, stored);
}

async function textOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const piece of pieces) parts.push(piece.slice());
  return Buffer.concat(parts).toString();
}

test("a file below a branch or annotated tag is found by its path and read", async () => {
  const tree = await openTree();
  expect(tree.obstacle).toBeNull();
  expect(tree.refs[0]).toMatchObject({ label: "main", kind: "branch", isDefault: true });
  const tag = tree.refs.find(({ label }) => label === "v1")!;
  for (const { id } of [tree.refs[0]!, tag]) {
    const file = await tree.find(id, "src/deep/a.ts");
    expect(file).toMatchObject({ kind: "file", name: "a.ts" });
    expect(await tree.sizeOf(file!.id)).toBe(20);
    expect(await textOf(tree.read(file!.id))).toBe("export const a = 1;\n");
  }
  expect(await tree.find(tag.id, "run.sh")).toBeNull();
});

test("names of any bytes and up to 255 bytes are found, and paths outside the tree are not", async () => {
  const tree = await openTree();
  const { id } = tree.refs[0]!;
  const odd = await tree.find(id, "odd");
  expect((await tree.list(odd!.id)).map(({ name }) => name)).toEqual(
    [BIDI, LONG, "ü ?#&%2e.txt"].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
  );
  for (const name of [LONG, BIDI, "ü ?#&%2e.txt"])
    expect(await tree.find(id, `odd/${name}`)).toMatchObject({ name });
  for (const path of [
    "..",
    "../README.md",
    "/README.md",
    "src/../README.md",
    "odd//x",
    "README.md/x",
    "src/",
    ".",
  ])
    expect(await tree.find(id, path)).toBeNull();
});

test("folders come first, a submodule is marked, and a tag of a file opens as that file", async () => {
  const tree = await openTree();
  const root = await tree.find(tree.refs[0]!.id, "");
  const listed = await tree.list(root!.id);
  expect(listed.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
    "folder odd",
    "folder src",
    "file README.md",
    "submodule module",
    "file run.sh",
  ]);
  const file = await tree.find(tree.refs.find(({ label }) => label === "a-file")!.id, "");
  expect(file?.kind).toBe("file");
  expect(await textOf(tree.read(file!.id))).toBe("# Hello\n");
});

test("refs are named as people know them, the default branch first", async () => {
  const tree = await openTree();
  expect(tree.refs.map(({ kind, label }) => `${kind} ${label}`)).toEqual([
    "branch main",
    "other changes/1",
    "branch go/head",
    "request #7",
    "tag a-file",
    "tag v1",
  ]);
});

test("history goes backwards", async () => {
  const tree = await openTree();
  const titles: string[] = [];
  for await (const { title } of tree.history(tree.refs[0]!.id)) titles.push(title);
  expect(titles).toEqual(["Second", "First"]);
});

test("without an index the tree explains why it cannot be opened", async () => {
  expect((await openTree({ indexed: false })).obstacle).toContain("no index");
});

/** The tree of a forged pack with these refs. */
async function forgedTree(
  entries: Parameters<typeof forge>[0],
  refs: [name: string, oid: string][],
  packs = 1,
) {
  const pack = forge(entries);
  const paths = Array.from({ length: packs }, (_, at) => `git/packs/${at + 1}.pack`);
  async function* events() {
    for (const path of paths) {
      const write = async (sink: { write(bytes: Uint8Array): unknown }) => void (await sink.write(pack));
      yield { type: "stream" as const, path, kind: "git-pack", write };
    }
  }
  const snapshot = await takeSnapshot(events());
  const withIndex = async () => {
    const hash = (await snapshot.find(paths[0]!))!.hash;
    snapshot.companions.set(`${hash}/idx`, Buffer.concat([...(await indexAll(pack)).idx()]));
  };
  const stored = {
    objectFormat: "sha1" as const,
    head: { target: "refs/heads/main", oid: null },
    refs: refs.map(([name, oid]) => ({ name, oid })),
    packs: paths,
  };
  return { open: () => gitFileTree(snapshot, stored), withIndex };
}

test("what stands in the way of the files is told: no refs, one pack without an index, or several", async () => {
  const oid = oidOf("blob", "x");
  const refs: [string, string][] = [["refs/heads/main", oid]];
  const obstacleOf = async (given: [string, string][], packs: number) =>
    (await (await forgedTree([blob("x")], given, packs)).open()).obstacle;
  expect(await obstacleOf([], 1)).toBe(
    "This repository has no branches or tags, so there are no files to show.",
  );
  expect(await obstacleOf(refs, 1)).toMatch(/^One git pack of this version has no index, /);
  expect(await obstacleOf(refs, 2)).toMatch(/^2 git packs of this version have no index, /);
  const { open, withIndex } = await forgedTree([blob("x")], refs);
  await withIndex();
  expect((await open()).obstacle).toBeNull();
});

test("a history has the title, author, parents and time of each commit; that of a file is empty", async () => {
  const tree = treeBytes(["100644", "file", oidOf("blob", "x")]);
  const root = commitText(oidOf("tree", tree), [], 5, "\n\n  Root title  \n\nBody");
  const tip = commitText(oidOf("tree", tree), [oidOf("commit", root)], 9, "");
  const entries = [
    objectEntry("tree", tree),
    objectEntry("commit", root),
    objectEntry("commit", tip),
    blob("x"),
  ];
  const { open, withIndex } = await forgedTree(entries, [["refs/heads/main", oidOf("commit", tip)]]);
  await withIndex();
  const files = await open();
  const seen = [];
  for await (const state of files.history(oidOf("commit", tip))) seen.push(state);
  expect(seen).toEqual([
    { id: oidOf("commit", tip), parents: [oidOf("commit", root)], title: "", author: "A", at: 9_000 },
    { id: oidOf("commit", root), parents: [], title: "Root title", author: "A", at: 5_000 },
  ]);
  for (const oid of [oidOf("blob", "x"), oidOf("tree", tree)])
    for await (const state of files.history(oid)) expect(state).toBeUndefined();
  expect(await files.has(oidOf("commit", tip))).toBe(true);
  expect(await files.has("f".repeat(40))).toBe(false);
  expect(await files.find(oidOf("tree", tree), "file")).toMatchObject({ kind: "file", isExecutable: false });
  expect(await files.find(oidOf("commit", tip), "")).toEqual({
    name: "",
    kind: "folder",
    isExecutable: false,
    id: oidOf("tree", tree),
  });
});

test("a folder that is something else is refused, and a path deeper than git allows is not searched", async () => {
  const tree = treeBytes(["40000", "folder", oidOf("blob", "x")]);
  const { open, withIndex } = await forgedTree(
    [objectEntry("tree", tree), blob("x")],
    [["refs/heads/main", oidOf("tree", tree)]],
  );
  await withIndex();
  const files = await open();
  await expect(files.find(oidOf("tree", tree), "folder/file")).rejects.toMatchObject({ code: "malformed" });
  await expect(files.list(oidOf("blob", "x"))).rejects.toThrow("What a folder should be is something else");
  const deep = (length: number) => ["folder", ...Array.from({ length: length - 1 }, () => "x")].join("/");
  expect(await files.find(oidOf("tree", tree), deep(2_049))).toBeNull();
  await expect(files.find(oidOf("tree", tree), deep(2_048))).rejects.toMatchObject({ code: "malformed" });
});

test("refs of every folder have a label and a kind", async () => {
  const oid = oidOf("blob", "x");
  const names = ["heads/main", "notes/commits", "merge-requests/8/head", "pull/7/head", "tags/v1", "stash"];
  const { open } = await forgedTree(
    [blob("x")],
    names.map((name): [string, string] => [`refs/${name}`, oid]),
  );
  expect((await open()).refs).toMatchObject([
    { name: "refs/heads/main", label: "main", kind: "branch", isDefault: true, id: oid },
    { label: "commits", kind: "note", isDefault: false },
    { label: "#8", kind: "request" },
    { label: "#7", kind: "request" },
    { label: "v1", kind: "tag" },
    { label: "stash", kind: "other" },
  ]);
});
