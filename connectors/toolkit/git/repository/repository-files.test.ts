import { expect, test } from "vitest";
import { openPlanSheet } from "#connectors/toolkit/records/plan-sheet.ts";
import { takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { indexAll } from "../test-packs.ts";
import { cloneHelp } from "./clone-help.ts";
import { findFileView } from "./find-file-view.ts";
import { findChain, readRefs } from "./git-chain.ts";
import { planFiles, planPush, spendOnPush } from "./plan-push.ts";
import {
  findCloneRoots,
  findRepository,
  indexScript,
  isIndexed,
  repositoryFiles,
  safeFileName,
} from "./repository-files.ts";
import { commitPack, PLATFORM, repositoryVersion, versionOf } from "./test-versions.ts";

const one = commitPack("one");
const two = commitPack("two", [one.oid]);
const PATHS = ["git/packs/0001-0001.pack", "git/packs/0001-0002.pack"];

async function version({ indexed = 2, refs = [{ name: "refs/heads/main", oid: two.oid }], more = {} } = {}) {
  const packs = [
    { pack: one.pack, tips: [one.oid] },
    { pack: two.pack, tips: [two.oid] },
  ];
  const snapshot = await repositoryVersion(packs, refs, { more });
  for (const [at, { pack }] of packs.slice(0, indexed).entries()) {
    const hash = (await snapshot.find(PATHS[at]!))!.hash;
    snapshot.companions.set(`${hash}/idx`, Buffer.concat([...(await indexAll(pack)).idx()]));
  }
  return snapshot;
}

test("a repository is found with its packs, and knows which of them have an index", async () => {
  const found = (await findRepository(await version({ indexed: 1 }), "git/"))!;
  expect(found.packs).toEqual([
    { name: one.hash, entry: PATHS[0], hasIdx: true },
    { name: two.hash, entry: PATHS[1], hasIdx: false },
  ]);
  expect(found.refs).toMatchObject({ objectFormat: "sha1", refs: [{ name: "refs/heads/main" }] });
  expect(isIndexed(found)).toBe(false);
  expect(await findRepository(await version(), "wiki/")).toBeNull();
  const lost = await version();
  lost.entries.delete(PATHS[1]!);
  expect(await findRepository(lost, "git/")).toMatchObject({ chain: null, packs: [] });
});

test("git clones a repository only if every pack has its index", async () => {
  const order = { prefix: "git/", name: "x.git" };
  const [root, ...others] = await findCloneRoots(await version(), [order, { ...order, prefix: "wiki/" }]);
  expect(others).toEqual([]);
  const paths: string[] = [];
  for await (const { path } of root!.files) paths.push(path);
  expect(root!.name).toBe("x.git");
  expect(paths).toEqual([
    "HEAD",
    "config",
    "packed-refs",
    "refs/",
    "refs/heads/",
    "refs/tags/",
    "info/",
    "info/refs",
    "objects/",
    "objects/info/",
    "objects/info/packs",
    "objects/pack/",
    ...[one, two].flatMap(({ hash }) => [`objects/pack/pack-${hash}.pack`, `objects/pack/pack-${hash}.idx`]),
  ]);
  const wiki = { ...order, prefix: "wiki/" };
  expect(await findCloneRoots(await version({ indexed: 1 }), [wiki, order])).toEqual([]);
  // What follows a repository without an index is not cloned in its place.
  expect(await findCloneRoots(await version({ indexed: 1 }), [order, order])).toEqual([]);
});

test("the files of a repository say what its refs, head and packs are", async () => {
  const found = (await findRepository(await version({ indexed: 1 }), "git/"))!;
  const textsOf = async (changes: Partial<typeof found.refs>) => {
    const texts = new Map<string, string>();
    const entries: unknown[] = [];
    for await (const file of repositoryFiles({ ...found, refs: { ...found.refs, ...changes } }, "x/")) {
      if (file.source === "bytes") texts.set(file.path, Buffer.from(file.bytes).toString());
      else if (file.source !== "directory") entries.push(file);
    }
    return { texts, entries };
  };
  const { texts, entries } = await textsOf({
    refs: [
      { name: "refs/tags/v1", oid: one.oid, peeled: two.oid },
      { name: "refs/heads/a..b", oid: one.oid },
      { name: "refs/heads/main", oid: two.oid },
    ],
  });
  expect(Object.fromEntries(texts)).toEqual({
    "x/HEAD": "ref: refs/heads/main\n",
    "x/config": "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n",
    "x/packed-refs": `# pack-refs with: peeled fully-peeled sorted \n${two.oid} refs/heads/main\n${one.oid} refs/tags/v1\n^${two.oid}\n`,
    "x/info/refs": `${two.oid}\trefs/heads/main\n${one.oid}\trefs/tags/v1\n${two.oid}\trefs/tags/v1^{}\n`,
    "x/objects/info/packs": `P pack-${one.hash}.pack\nP pack-${two.hash}.pack\n\n`,
  });
  const place = `x/objects/pack/pack-${one.hash}`;
  expect(entries).toEqual([
    { path: `${place}.pack`, source: "entry", entry: PATHS[0] },
    { path: `${place}.idx`, source: "companion", entry: PATHS[0], name: "idx" },
    { path: `x/objects/pack/pack-${two.hash}.pack`, source: "entry", entry: PATHS[1] },
  ]);
  const headOf = async (head: typeof found.refs.head) => (await textsOf({ head })).texts.get("x/HEAD");
  expect(await headOf({ target: null, oid: one.oid })).toBe(`${one.oid}\n`);
  expect(await headOf({ target: "refs/heads/..", oid: one.oid })).toBe(`${one.oid}\n`);
  expect(await headOf({ target: "refs/heads/..", oid: null })).toBe("ref: refs/heads/main\n");
  expect(await headOf({ target: "refs/heads/x", oid: null })).toBe("ref: refs/heads/x\n");
  const long = (await textsOf({ objectFormat: "sha256" })).texts.get("x/config");
  expect(long).toBe(
    "[core]\n\trepositoryformatversion = 1\n\tfilemode = true\n\tbare = true\n[extensions]\n\tobjectformat = sha256\n",
  );
});

test.each([
  ["api", "api"],
  ["My Repo (old)/x", "My-Repo-old-x"],
  ["..hidden", "hidden"],
  ["--option", "option"],
  ["…", "repository"],
  ["", "repository"],
  ["con", "_con"],
  ["Aux.git", "_Aux.git"],
  ["LPT9", "_LPT9"],
  ["console", "console"],
  ["x".repeat(120), "x".repeat(120)],
  [`${"x".repeat(110)}0123456789.git`, `${"x".repeat(104)}xx0123456789.git`],
])("the name '%s' becomes the folder '%s'", (name, folder) => {
  expect(safeFileName(name)).toBe(folder);
});

test("the script for missing indexes visits each repository and checks it", () => {
  expect(indexScript(["a.git", "b.git"])).toBe(
    [
      "#!/bin/sh",
      "# Makes the missing indexes of the git packs in this folder, then checks the repositories.",
      "set -eu",
      'cd "$(dirname "$0")"',
      ...["a.git", "b.git"].flatMap((folder) => [
        `for pack in "${folder}"/objects/pack/*.pack; do`,
        '  [ -e "$pack" ] || continue',
        '  [ -e "$(dirname "$pack")/$(basename "$pack" .pack).idx" ] || git index-pack "$pack"',
        "done",
        `git --git-dir="${folder}" fsck --full`,
      ]),
      "",
    ].join("\n"),
  );
});

test("the files view opens the repository below its prefix, and without one there is none", async () => {
  const order = { prefix: "git/", id: "files", label: "Files" };
  const view = (await findFileView(await version(), order))!;
  expect([view.kind, view.id, view.label]).toEqual(["files", "files", "Files"]);
  const tree = await view.open();
  expect(tree.obstacle).toBeNull();
  expect(await tree.find(tree.refs[0]!.id, "file")).toMatchObject({ kind: "file" });
  expect(await findFileView(await version(), { ...order, prefix: "wiki/" })).toBeNull();
  const partly = (await findFileView(await version({ indexed: 0 }), order))!;
  expect((await partly.open()).obstacle).toMatch(/^2 git packs/);
});

test("a ZIP's README tells how to open, publish and check the repository, and LFS only if it has files", () => {
  const help = (lfsCount: number) => cloneHelp({ name: "x", lfsCount, refused: "Forge refuses refs/pull/*" });
  const lines = [
    "How to open it",
    "  git clone x.git my-copy",
    "  (needs git and nothing else; all branches are there as origin/...)",
    "",
    "How to bring it to any git server",
    "  cd x.git && git push --mirror https://example.com/new-empty-repository.git",
    "  (Forge refuses refs/pull/*; everything else arrives)",
    "",
    "How to check it",
    "  cd x.git && git fsck --full",
  ];
  expect(help(0)).toEqual(lines);
  const lfs = `  (with git-lfs installed: git clone "file://$PWD/x.git" my-copy, so that it finds the files)`;
  expect(help(1)).toEqual([...lines.slice(0, 3), lfs, ...lines.slice(3)]);
});

const sheetOf = () => {
  const created: [string, number][] = [];
  const spent: object[] = [];
  const told: object[] = [];
  const sheet = {
    ...openPlanSheet({}, []),
    creates: (kind: string, count: number) => void created.push([kind, count]),
    spend: (calls: object) => void spent.push(calls),
    tell: (line: object) => void told.push(line),
  };
  return { sheet, created, spent, told };
};

test("a plan counts the refs of a push, its bytes, its pauses and what it cannot bring back", async () => {
  const refs = [
    { name: "refs/heads/main", oid: two.oid },
    { name: "refs/heads/b", oid: one.oid },
    { name: "refs/pull/1/head", oid: one.oid },
    { name: "refs/tags/v1", oid: one.oid },
  ];
  const snapshot = await version({ refs });
  const chain = (await findChain(snapshot, "git/"))!;
  const { sheet, created, spent, told } = sheetOf();
  const order = {
    platform: PLATFORM,
    refs: await readRefs(snapshot, "git/"),
    chain,
    proposalBranches: false,
  };
  expect([...planPush(sheet, order)]).toEqual(["main", "b"]);
  expect(created).toEqual([
    ["branch", 1],
    ["branch", 1],
    ["tag", 1],
  ]);
  // Two packs and two batches of refs make four pushes; three of them need no pause.
  expect(spent).toEqual([{ bytes: one.pack.length + two.pack.length, waitMs: 7 }]);
  expect(told).toMatchObject([{ type: "impossible" }]);
});

test("few pushes need no pause, and without refs nothing is spent", async () => {
  const snapshot = await version();
  const chain = (await findChain(snapshot, "git/"))!;
  const spend = (refCount: number) => {
    const { sheet, spent } = sheetOf();
    spendOnPush(sheet, { platform: PLATFORM, chain, refCount });
    return spent;
  };
  expect(spend(2)).toMatchObject([{ waitMs: 0 }]);
  expect(spend(3)).toMatchObject([{ waitMs: 7 }]);
  expect(spend(6)).toMatchObject([{ waitMs: 14 }]);
  expect(spend(0)).toEqual([]);
});

test("a plan counts the Git LFS files and their bytes", async () => {
  const { sheet, created, spent } = sheetOf();
  const files = { [`lfs/${"a".repeat(64)}`]: Buffer.alloc(5), [`lfs/${"b".repeat(64)}`]: Buffer.alloc(6) };
  expect(await planFiles(sheet, await version({ more: files }))).toBe(2);
  expect([created, spent]).toEqual([[["lfs-object", 2]], [{ bytes: 11 }]]);
  const none = sheetOf();
  expect(await planFiles(none.sheet, await versionOf({}))).toBe(0);
  expect([none.created, none.spent]).toEqual([[["lfs-object", 0]], [{ bytes: 0 }]]);
});

test("a version without anything is no repository", async () => {
  async function* nothing() {}
  const empty = await takeSnapshot(nothing());
  expect(await findRepository(empty, "git/")).toBeNull();
});
