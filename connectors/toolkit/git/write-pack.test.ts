import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { initBare } from "#connectors/toolkit/simulator/init-bare.ts";
import { readGitBlob, runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { concatBytes, utf8 } from "#core/kernel/crypto.ts";
import { parseRawTree, type RawEntry } from "./parse-object.ts";
import { withEntry } from "./tree-edit.ts";
import { type PackedObject, preparePack } from "./write-pack.ts";

/** A source that gives pieces of odd lengths and reuses their memory, as the vault does. */
function blob(bytes: Uint8Array): PackedObject {
  async function* read() {
    for (let at = 0; at < bytes.length; at += 70_001) {
      const piece = bytes.slice(at, at + 70_001);
      yield piece;
      piece.fill(0);
    }
  }
  return { type: "blob", sizeBytes: bytes.length, read };
}

test("git takes a pack of compressed and uncompressed objects, whose length is known before", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "pack-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  initBare(folder);
  // Around the largest block, and around the size from which nothing is compressed.
  const sizes = [0, 1, 15, 16, 65_535, 65_536, 1_048_576, 1_048_577, 16 * 65_535 + 65_535, 3_000_000];
  const files = sizes.map((size, seed) => new Uint8Array(size).map((_, at) => (at * 31 + seed) % 251));
  const { length, chunks } = await preparePack(files.map(blob));
  const pieces: Uint8Array[] = [];
  for await (const piece of chunks()) pieces.push(piece.slice());
  const pack = concatBytes(...pieces);
  expect(pack.length).toBe(length);
  const file = path.join(folder, "objects/pack/pack-test.pack");
  writeFileSync(file, pack);
  const { length: objects } = runGit(folder, ["index-pack", "--strict", file]).trim();
  expect(objects).toBe(40);
  const names = runGit(folder, ["cat-file", "--batch-all-objects", "--batch-check=%(objectname)"])
    .trim()
    .split("\n");
  const stored = names.map((name) => Buffer.from(readGitBlob(folder, name)).toString("latin1"));
  expect(new Set(stored)).toEqual(new Set(files.map((bytes) => Buffer.from(bytes).toString("latin1"))));
});

test("an entry is put where git sorts it, and takes the place of another of its name", () => {
  const entry = (name: string, mode = "100644", digit = "a"): RawEntry => ({
    mode,
    name: utf8(name),
    oid: digit.repeat(40),
  });
  const shown = (tree: Uint8Array) =>
    parseRawTree(tree, "sha1").map(
      ({ mode, name, oid }) => `${mode} ${Buffer.from(name).toString()} ${oid[0]}`,
    );
  const rest = [entry("src-x", "40000"), entry("src.txt"), entry("zoo")];
  expect(shown(withEntry(rest, entry("src", "40000", "b")))).toEqual([
    ...["40000 src-x a", "100644 src.txt a", "40000 src b", "100644 zoo a"],
  ]);
  expect(shown(withEntry(rest, entry("src", "100755", "b")))[0]).toBe("100755 src b");
  expect(shown(withEntry(rest, entry("zoo", "120000", "b")))).toEqual([
    ...["40000 src-x a", "100644 src.txt a", "120000 zoo b"],
  ]);
  expect(shown(withEntry([], entry("only")))).toEqual(["100644 only a"]);
});
