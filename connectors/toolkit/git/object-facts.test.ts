import { expect, test } from "vitest";
import { collectReferences } from "./object-facts.ts";
import { COMMIT, TREE } from "./pack-entry.ts";
import { createPrefixSet } from "./prefix-set.ts";

const name = (digit: string) => digit.repeat(40);

/** Returns whether the object is sound, and the first digits of the object names it references. */
function facts(type: number, payload: Buffer): [isSound: boolean, leansOn: string] {
  const set = createPrefixSet(16, 1 << 20);
  const isSound = collectReferences(type, payload, 20, set);
  const found: string[] = [];
  set.forEach((high) => void found.push((high >>> 28).toString(16)));
  return [isSound, found.sort().join("")];
}

const tree = (...entries: [mode: string, digit: string][]) =>
  Buffer.concat(
    entries.flatMap(([mode, digit]) => [Buffer.from(`${mode} x\0`), Buffer.from(name(digit), "hex")]),
  );

test("a tree references only folders, files and links, with any number of leading zeros in modes", () => {
  const ordinary = tree(["40000", "1"], ["100644", "2"], ["100755", "3"], ["120000", "4"], ["160000", "5"]);
  expect(facts(TREE, ordinary)).toEqual([true, "1234"]);
  const padded = tree(["040000", "1"], ["0100644", "2"], ["00000100664", "3"], ["0160000", "5"]);
  expect(facts(TREE, padded)).toEqual([true, "123"]);
  // Git treats any other mode as a submodule and sends nothing for it.
  expect(facts(TREE, tree(["0", "6"], ["10000", "7"], ["160755", "8"]))).toEqual([true, ""]);
});

test("invalid trees and commits are reported", () => {
  for (const broken of ["100644", "100644 x", " x\0", "10 x\0short", "1x0644 x\0"]) {
    expect(facts(TREE, Buffer.from(broken))[0]).toBe(false);
  }
  expect(
    facts(COMMIT, Buffer.from(`tree ${name("1")}\nparent ${name("2")}\nparent ${name("3")}\n\n`)),
  ).toEqual([true, "123"]);
  expect(facts(COMMIT, Buffer.from(`author nobody\ntree ${name("1")}\n`))[0]).toBe(false);
});

test("a set of names grows as far as its memory goes, and refuses what would not fit", () => {
  const set = createPrefixSet(16, 4_096);
  const name = new DataView(new ArrayBuffer(20));
  const add = (number: number) => {
    name.setUint32(0, number);
    set.add(new Uint8Array(name.buffer), 0);
  };
  for (let number = 1; number <= 280; number++) add(number);
  add(7);
  expect(set.count()).toBe(280);
  const addMany = () => {
    for (let number = 281; number <= 400; number++) add(number);
  };
  expect(addMany).toThrow(expect.objectContaining({ code: "too-large" }));
});
