import { expect, test } from "vitest";
import { collectReferences, readLfsPointer } from "./object-facts.ts";
import { BLOB, COMMIT, TAG, TREE } from "./pack-entry.ts";
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

test("a tree with anything but octal digits as a mode, no mode, or a cut name is reported", () => {
  const entry = (mode: string) => Buffer.concat([Buffer.from(`${mode} x\0`), Buffer.from(name("1"), "hex")]);
  expect(facts(TREE, Buffer.concat([entry("100644"), entry("100755")]))[0]).toBe(true);
  for (const mode of ["1/0644", "100648", "10:644", ""]) expect(facts(TREE, entry(mode))[0]).toBe(false);
  expect(facts(TREE, Buffer.concat([entry("100644"), entry("100644")]).subarray(0, -1))[0]).toBe(false);
  expect(facts(TREE, entry("777777"))[0]).toBe(true);
  // Only the last sixteen bits count.
  expect(facts(TREE, entry("1100644"))).toEqual([true, "1"]);
  expect(facts(TREE, Buffer.alloc(0))).toEqual([true, ""]);
});

test("an object name in a commit or tag is of lower-case hexadecimal digits and ends its line", () => {
  const digits = "0123456789abcdef0123456789abcdef01234567";
  const set = createPrefixSet(16, 1 << 20);
  expect(collectReferences(TAG, Buffer.from(`object ${digits}\n`), 20, set)).toBe(true);
  const found: string[] = [];
  set.forEach((high, low) => void found.push(high.toString(16), low.toString(16)));
  expect(found).toEqual(["1234567", "89abcdef"]);
  for (const bad of ["/", ":", "`", "g", "A", "F"]) {
    for (const at of [0, 1, 38, 39]) {
      const broken = `${digits.slice(0, at)}${bad}${digits.slice(at + 1)}`;
      expect(facts(COMMIT, Buffer.from(`tree ${broken}\n`))).toEqual([false, ""]);
    }
  }
  for (const text of [`tree ${digits}`, `tree ${digits} \n`, `tree ${digits.slice(1)}\n`, `free ${digits}\n`])
    expect(facts(COMMIT, Buffer.from(text))[0]).toBe(false);
  expect(facts(TAG, Buffer.from(`tree ${digits}\n`))[0]).toBe(false);
  expect(facts(COMMIT, Buffer.from(`tree ${digits}\n`))[0]).toBe(true);
});

test("a blob references nothing and is always sound; another type is not", () => {
  expect(facts(BLOB, Buffer.from(`tree ${name("1")}\n`))).toEqual([true, ""]);
  expect(facts(0, Buffer.alloc(0))[0]).toBe(false);
});

test("an LFS pointer is a text below a kibibyte that begins with the version and has a name and a size", () => {
  const oid = "0123456789abcdef".repeat(4);
  const version = "version https://git-lfs.github.com/spec/v1";
  const read = (text: string) => readLfsPointer(Buffer.from(text, "latin1"));
  const pointer = { oid, sizeBytes: 12_345 };
  expect(read(`${version}\noid sha256:${oid}\nsize 12345\n`)).toEqual(pointer);
  expect(read(`${version}\r\noid sha256:${oid}\r\nsize 12345\r\n`)).toEqual(pointer);
  const long = (length: number) => {
    const start = `${version}\noid sha256:${oid}\nsize 12345\n`;
    return `${start}${"x".repeat(length - start.length)}`;
  };
  expect([read(long(1_023)), read(long(1_024))]).toEqual([pointer, null]);
  for (const text of [
    "",
    "v",
    `see ${version}\noid sha256:${oid}\nsize 12345\n`,
    `version https://example.test/spec/v1\noid sha256:${oid}\nsize 12345\n`,
    `${version}\nsize 12345\n`,
    `${version}\noid sha256:${oid}\n`,
    `${version}\noid sha256:${oid.slice(1)}\nsize 12345\n`,
    `${version}\noid sha256:${oid}\nsize -5\n`,
    `${version}\noid sha256:${oid}\nsize 1234567890123456\n`,
  ])
    expect(read(text)).toBeNull();
  // A view into a larger buffer, as packs give it.
  const around = Buffer.from(`??${version}\noid sha256:${oid}\nsize 1\n??`);
  expect(readLfsPointer(new Uint8Array(around).subarray(2, -2))).toEqual({ oid, sizeBytes: 1 });
});
