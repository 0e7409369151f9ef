import { expect, test } from "vitest";
import type { Json } from "#core/kernel/canonical-json.ts";
import {
  emptyChain,
  findChain,
  type GitChain,
  gitEntries,
  hasRepository,
  knownTips,
  nextPackPath,
  readRefs,
  shouldStartNewChain,
} from "./git-chain.ts";
import { commitPack, repositoryVersion, versionOf } from "./test-versions.ts";

const MIB = 1024 * 1024;

function chainOf(bases: number[], increments: number[]): GitChain {
  const pack = (bytes: number, base: boolean, number: number) => ({
    path: `git/packs/0001-${number}.pack`,
    hash: "0".repeat(40),
    objects: 1,
    bytes,
    tips: ["1".repeat(40)],
    base,
  });
  const packs = [
    ...bases.map((bytes, i) => pack(bytes, true, i)),
    ...increments.map((bytes, i) => pack(bytes, false, i)),
  ];
  return { generation: 1, objectFormat: "sha1", packs, coveredTips: [] };
}

test.each([
  ["small increments stay", [100 * MIB], [10 * MIB, 20 * MIB], false],
  ["increments past half of the base start a new chain", [100 * MIB], [30 * MIB, 21 * MIB], true],
  ["one rewrite that is half of the base starts a new chain", [100 * MIB], [51 * MIB], true],
  ["exactly half of the base stays", [100 * MIB], [50 * MIB], false],
  ["a mebibyte of increments stays", [MIB], [MIB], false],
  ["a byte more than a mebibyte does not", [MIB], [MIB + 1], true],
  ["a split base counts as a whole", [60 * MIB, 60 * MIB], [51 * MIB], false],
  ["tiny repositories are left alone", [2_000], [4_000, 4_000], false],
  ["thirty packs are fine", [MIB], Array.from({ length: 29 }, () => 10), false],
  ["thirty-one are too many", [MIB], Array.from({ length: 30 }, () => 10), true],
])("a chain of git packs: %s", (_case, bases, increments, expected) => {
  expect(shouldStartNewChain(chainOf(bases, increments))).toBe(expected);
});

test("the tips of all packs are known, and those that brought nothing", () => {
  const chain = { ...chainOf([1], [1]), coveredTips: ["2".repeat(40)] };
  expect([...knownTips(chain)]).toEqual(["1".repeat(40), "2".repeat(40)]);
  expect(emptyChain(3, "sha256")).toEqual({
    generation: 3,
    objectFormat: "sha256",
    packs: [],
    coveredTips: [],
  });
});

test("packs are numbered within their generation", () => {
  expect(nextPackPath(emptyChain(12, "sha1"), "wiki/")).toBe("wiki/packs/0012-0001.pack");
  expect(nextPackPath(chainOf([1], [1, 1]), "git/")).toBe("git/packs/0001-0004.pack");
  expect(gitEntries("x/")).toEqual({ refs: "x/refs.json", chain: "x/chain.json", packs: "x/packs/" });
});

test("a chain is found if it is whole and readable, and a repository by either of its records", async () => {
  const { pack, oid } = commitPack("one");
  const snapshot = await repositoryVersion([{ pack, tips: [oid] }], [{ name: "refs/heads/main", oid }]);
  expect((await findChain(snapshot, "git/"))?.packs).toHaveLength(1);
  expect(await findChain(snapshot, "wiki/")).toBeNull();
  expect(await readRefs(snapshot, "git/")).toMatchObject({ refs: [{ name: "refs/heads/main", oid }] });
  expect([await hasRepository(snapshot, "git/"), await hasRepository(snapshot, "wiki/")]).toEqual([
    true,
    false,
  ]);
  const record = await snapshot.readRecord("git/chain.json");
  const damaged: Json[] = [
    { ...(record as object), generation: 0 },
    { ...(record as object), objectFormat: "md5" },
    5,
  ];
  for (const value of damaged)
    expect(await findChain(await versionOf({ "git/chain.json": value }), "git/")).toBeNull();
  expect(await hasRepository(await versionOf({ "git/chain.json": 5 }), "git/")).toBe(true);
  expect(await hasRepository(await versionOf({ "git/refs.json": 5 }), "git/")).toBe(true);
  snapshot.entries.delete("git/packs/0001-0001.pack");
  expect(await findChain(snapshot, "git/")).toBeNull();
});
