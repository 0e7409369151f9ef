import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { copyWhole, replaceKept } from "./copy-whole.ts";

const root = mkdtempSync(join(tmpdir(), "copy-whole-"));
afterAll(() => rmSync(root, { recursive: true }));

/** A folder with one file below another. */
function folderWith(name: string, text: string): string {
  const folder = join(root, name);
  mkdirSync(join(folder, "d1"), { recursive: true });
  writeFileSync(join(folder, "d1/one.sqlite"), text);
  return folder;
}
const textIn = (folder: string) => readFileSync(join(folder, "d1/one.sqlite"), "utf8");

test("the first whole copy keeps the name, and a later one leaves nothing behind", () => {
  const to = join(root, "kept/abc");
  mkdirSync(join(root, "kept"));
  copyWhole(folderWith("first", "one"), to);
  copyWhole(folderWith("second", "two"), to);
  expect(textIn(to)).toBe("one");
  expect(readdirSync(join(root, "kept"))).toEqual(["abc"]);
});

test("a copy that fails throws and leaves nothing behind", () => {
  mkdirSync(join(root, "failed"));
  expect(() => copyWhole(join(root, "missing"), join(root, "failed/abc"))).toThrow("ENOENT");
  expect(readdirSync(join(root, "failed"))).toEqual([]);
});

test("a replaced copy deletes those of other names, not one of the same name that is being written", () => {
  const cache = join(root, "cache");
  for (const name of ["cache/old", "cache/older.17", "cache/new.18"]) folderWith(name, "x");
  replaceKept(folderWith("third", "three"), join(cache, "new"));
  expect(readdirSync(cache).sort()).toEqual(["new", "new.18"]);
  expect(textIn(join(cache, "new"))).toBe("three");
});
