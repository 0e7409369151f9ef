import { expect, test } from "vitest";
import { type GitChain, shouldStartNewChain } from "./git-chain.ts";

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
  ["a split base counts as a whole", [60 * MIB, 60 * MIB], [51 * MIB], false],
  ["tiny repositories are left alone", [2_000], [4_000, 4_000], false],
  ["thirty packs are fine", [MIB], Array.from({ length: 29 }, () => 10), false],
  ["thirty-one are too many", [MIB], Array.from({ length: 30 }, () => 10), true],
])("a chain of git packs: %s", (_case, bases, increments, expected) => {
  expect(shouldStartNewChain(chainOf(bases, increments))).toBe(expected);
});
