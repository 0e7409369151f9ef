import { expect, test } from "vitest";
import type { FileCommit, FileNode, FileTree } from "#connectors/contract/file-tree.ts";
import type { Proposal } from "#connectors/contract/thread-view.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { compareProposal } from "./compare-proposal.ts";
import { compareTips, compareTree } from "./compare-trees.ts";

type Folder = { [name: string]: Folder | string };

/** A tree in memory: commits by id, with their parents and files. Later letters are later commits. */
function memoryTree(
  refs: Record<string, string>,
  commits: Record<string, { parents: string[]; files: Folder }>,
  opened: string[] = [],
): FileTree {
  const nodes = new Map<string, Folder>();
  const nodeOf = (name: string, value: Folder | string): FileNode => {
    const id = JSON.stringify(value);
    if (typeof value !== "string") nodes.set(id, value);
    return { name, kind: typeof value === "string" ? "file" : "folder", isExecutable: false, id };
  };
  return {
    obstacle: null,
    refs: Object.entries(refs).map(([label, id]) => ({
      name: `refs/heads/${label}`,
      label,
      kind: "branch",
      isDefault: label === "main",
      id,
    })),
    find: async (id) => nodeOf("", commits[id]!.files),
    async list(id) {
      opened.push(id);
      return Object.entries(nodes.get(id)!).map(([name, value]) => nodeOf(name, value));
    },
    sizeOf: async () => 0,
    async *read() {},
    has: async (id) => id in commits,
    async *history(from) {
      const waiting = [from];
      const seen = new Set(waiting);
      while (waiting.length > 0) {
        const id = waiting.sort().pop()!;
        const { parents } = commits[id]!;
        yield { id, parents, title: id, author: "ada", at: 0 } satisfies FileCommit;
        for (const parent of parents) if (!seen.has(parent)) waiting.push(parent) && seen.add(parent);
      }
    },
  };
}

const COMMITS = {
  a: { parents: [], files: { "r.md": "1", src: { "a.ts": "1", "b.ts": "1" } } },
  b: { parents: ["a"], files: { "r.md": "2", src: { "a.ts": "1", "b.ts": "1" } } },
  c: { parents: ["b"], files: { "r.md": "2", src: { "a.ts": "2" }, new: { "n.ts": "1" } } },
  d: { parents: ["a"], files: { "r.md": "3", src: { "a.ts": "1", "b.ts": "1" } } },
  e: { parents: ["c", "d"], files: { "r.md": "4", src: { "a.ts": "1", "b.ts": "1" } } },
};

test("moved, added and removed branches are listed with the commits they gained and lost", async () => {
  const before = memoryTree(
    { main: "b", gone: "a", same: "a", rewritten: "c", back: "b", merged: "c" },
    COMMITS,
  );
  const after = memoryTree(
    { main: "c", fresh: "d", same: "a", rewritten: "d", back: "a", merged: "e" },
    COMMITS,
  );
  const { refs, refCount } = await compareTree(before, after);
  expect(refCount).toBe(6);
  expect(
    Object.fromEntries(
      refs.map(({ label, change, gained, lost, isRewritten }) => [
        label,
        [change, gained?.count, lost?.count, isRewritten],
      ]),
    ),
  ).toEqual({
    main: ["changed", 1, 0, false],
    fresh: ["added", 1, undefined, null],
    rewritten: ["changed", 1, 2, true],
    back: ["changed", 0, 1, true],
    merged: ["changed", 2, 0, false],
    gone: ["removed", undefined, 0, null],
  });
});

test("a removed branch lists the commits that the default branch lacks", async () => {
  const before = memoryTree({ main: "b", merged: "b", lost: "d" }, COMMITS);
  const after = memoryTree({ main: "c", fresh: "d" }, COMMITS);
  const of = async (label: string) => {
    const tips = await compareTips(before, after, `refs/heads/${label}`);
    return tips && [tips.against, tips.lost.map(({ id }) => id), tips.gained.map(({ id }) => id)];
  };
  expect(await of("merged")).toEqual(["main", [], []]);
  expect(await of("lost")).toEqual(["main", ["d"], []]);
  expect(await of("fresh")).toEqual(["main", [], ["d"]]);
  expect(await of("never")).toBeNull();
});

test("files of two tips are compared by path, and equal folders are not opened", async () => {
  const opened: string[] = [];
  const before = memoryTree({ main: "b" }, COMMITS, opened);
  const after = memoryTree({ main: "c" }, COMMITS, opened);
  const compared = await compareTips(before, after, "refs/heads/main");
  expect(compared?.files).toEqual([
    { path: "new/n.ts", change: "added" },
    { path: "src/a.ts", change: "changed" },
    { path: "src/b.ts", change: "removed" },
  ]);
  expect(compared?.gained.map(({ id }) => id)).toEqual(["c"]);
  opened.length = 0;
  const near = await compareTips(before, memoryTree({ main: "d" }, COMMITS, opened), "refs/heads/main");
  expect(near?.files).toEqual([{ path: "r.md", change: "changed" }]);
  expect(opened).toHaveLength(2);
});

/** `f` branches off `a` and merges `b` of the main branch; `g` merges `f`; `s` squashes it. */
const PROPOSED = {
  ...COMMITS,
  f1: { parents: ["a"], files: { "r.md": "1", src: { "a.ts": "9", "b.ts": "1" } } },
  f2: { parents: ["f1", "b"], files: { "r.md": "2", src: { "a.ts": "9", "b.ts": "1" } } },
  g: { parents: ["b", "f2"], files: { "r.md": "2", src: { "a.ts": "9", "b.ts": "1" } } },
  s: { parents: ["b"], files: { "r.md": "2", src: { "a.ts": "9", "b.ts": "1" } } },
};
const proposal = (more: Partial<Proposal>): Proposal => ({
  ...{ tree: "git", head: "f2", base: null, into: "refs/heads/main", mergedAs: null },
  ...more,
});
const wanted = { commits: ["f2", "f1"], files: ["src/a.ts"] };

test.each([
  ["open", { main: "b" }, {}],
  ["merged with a commit", { main: "g" }, { mergedAs: "g" }],
  ["fast-forwarded", { main: "f2" }, { mergedAs: "f2", base: "b" }],
  ["squashed", { main: "s" }, { mergedAs: "s" }],
  ["merged as an unknown commit", { main: "g" }, { mergedAs: "gone", base: "b" }],
])("a pull request that is %s has its own commits and the files that they change", async (_, refs, more) => {
  const found = await compareProposal(memoryTree(refs, PROPOSED), proposal(more), null);
  expect({ commits: found.commits.map(({ id }) => id), files: found.files.map(({ path }) => path) }).toEqual(
    wanted,
  );
});

test("a proposal whose commits or branch the version lacks says so, and a file outside it is not found", async () => {
  const obstacle = "This version does not hold these commits.";
  const tree = memoryTree({ main: "b" }, PROPOSED);
  expect(await compareProposal(tree, proposal({ head: "gone" }), null)).toMatchObject({ obstacle });
  expect(await compareProposal(tree, proposal({ into: "refs/heads/gone" }), null)).toMatchObject({
    obstacle,
  });
  await expect(compareProposal(tree, proposal({}), "src/none.ts")).rejects.toThrow(
    new AppError("err.not.found"),
  );
});
