import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type GitWorkshop, openGitWorkshop } from "#connectors/toolkit/simulator/git-workshop.ts";
import { readCommit, walkCommits } from "./commit-walk.ts";
import { GitPackError } from "./git-pack-error.ts";
import type { ObjectFormat } from "./object-format.ts";
import { openObjectStore } from "./object-store.ts";
import type { IndexedPackSource } from "./pack-set.ts";
import type { PackSource } from "./pack-source.ts";
import { parseTree } from "./parse-object.ts";

let workshop: GitWorkshop;
beforeAll(() => {
  workshop = openGitWorkshop();
  for (const format of ["sha1", "sha256"] as const) makeRepository(format);
}, 120_000);
afterAll(() => workshop.remove());

/** A growing text, a deep tree, a large binary, tags of tags; stored in two packs. */
function makeRepository(format: ObjectFormat): void {
  workshop.git(".", ["init", "-q", "-b", "main", `--object-format=${format}`, format]);
  const noise = Buffer.alloc(2_500_000);
  for (let i = 0, x = 9; i < noise.length; i++) {
    x = (Math.imul(x, 1_103_515_245) + 12_345) >>> 0;
    noise[i] = x >>> 17;
  }
  const round = (number: number) => {
    const lines = Array.from({ length: 2000 }, (_, i) => `line ${i + (i % 97 === number ? number : 0)}\n`);
    workshop.write(`${format}/text.txt`, lines.join(""));
    workshop.write(`${format}/deep/er/and/deeper/file-${number}.txt`, `file ${number}\n`);
    noise[number * 1000] = number;
    if (number % 4 === 0) workshop.write(`${format}/noise.bin`, noise);
    workshop.commit(format, `round ${number}\n\nWith a body.`);
  };
  for (let number = 0; number < 8; number++) round(number);
  workshop.git(format, ["tag", "-a", "-m", "First", "v1"]);
  workshop.git(format, ["tag", "-a", "-m", "Tag of a tag", "v1-again", "v1"]);
  workshop.git(format, ["repack", "-adfq", "--depth=40", "--window=30"]);
  for (let number = 8; number < 12; number++) round(number);
  workshop.write(`${format}/zeros.bin`, Buffer.alloc(6_000_000));
  workshop.commit(format, "many zeros");
  workshop.git(format, ["repack", "-dq"]);
}

const fileSource = (bytes: Uint8Array): PackSource => ({
  size: bytes.length,
  read: async (offset, length) => bytes.subarray(offset, offset + length),
});

function packsOf(repository: string): IndexedPackSource[] {
  const folder = join(workshop.folder, repository, ".git/objects/pack");
  const names = readdirSync(folder).filter((name) => name.endsWith(".pack"));
  return names.map((name) => ({
    pack: fileSource(readFileSync(join(folder, name))),
    index: fileSource(readFileSync(join(folder, name.replace(/pack$/, "idx")))),
  }));
}

function allObjects(repository: string): { oid: string; type: string; size: number }[] {
  const text = workshop.git(repository, ["cat-file", "--batch-all-objects", "--batch-check"]);
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const [oid, type, size] = line.split(" ");
      return { oid: oid!, type: type!, size: Number(size) };
    });
}

const catFile = (repository: string, type: string, oid: string): Buffer =>
  workshop.gitBytes(repository, ["cat-file", type, oid]);

test.each(["sha1", "sha256"] as const)(
  "every object of a %s repository equals git's",
  async (format) => {
    const packs = packsOf(format);
    expect(packs.length).toBeGreaterThan(1);
    const store = openObjectStore(packs, format);
    const objects = allObjects(format);
    expect(objects.length).toBeGreaterThan(60);
    for (const { oid, type, size } of objects) {
      const expected = catFile(format, type, oid);
      expect(await store.facts(oid)).toEqual({ type, sizeBytes: size });
      const object = await store.read(oid);
      expect(object.type).toBe(type);
      expect(Buffer.compare(object.bytes, expected)).toBe(0);
      const pieces: Uint8Array[] = [];
      for await (const piece of store.stream(oid)) pieces.push(piece.slice());
      expect(Buffer.compare(Buffer.concat(pieces), expected)).toBe(0);
    }
  },
  120_000,
);

test("an object above the limit can be streamed if it is not a delta, but not read into memory", async () => {
  const store = openObjectStore(packsOf("sha1"), "sha1", 1_000_000);
  const zeros = allObjects("sha1").find(({ size }) => size === 6_000_000)!;
  let length = 0;
  for await (const piece of store.stream(zeros.oid)) length += piece.length;
  expect(length).toBe(6_000_000);
  await expect(store.read(zeros.oid)).rejects.toMatchObject({ code: "too-large" });
});

test("a walk gives the same commits as git log, each once, newest first", async () => {
  const store = openObjectStore(packsOf("sha1"), "sha1");
  const tip = workshop.git("sha1", ["rev-parse", "main"]).trim();
  const expected = workshop.git("sha1", ["log", "--format=%H %an %at %s", "main"]).trim().split("\n");
  const found: string[] = [];
  for await (const { oid, author, message } of walkCommits(store, [tip]))
    found.push(`${oid} ${author.name} ${author.at / 1000} ${message.split("\n")[0]}`);
  expect(new Set(found)).toEqual(new Set(expected));
  expect(found.length).toBe(expected.length);
});

test("a tree lists the same entries as git ls-tree", async () => {
  const store = openObjectStore(packsOf("sha256"), "sha256");
  const tip = workshop.git("sha256", ["rev-parse", "main"]).trim();
  const { tree } = await readCommit(store, tip);
  const names = parseTree((await store.read(tree)).bytes, "sha256").map(({ name, oid }) => `${oid}\t${name}`);
  expect(names).toEqual(
    workshop.git("sha256", ["ls-tree", "--format=%(objectname)%x09%(path)", "main"]).trim().split("\n"),
  );
});

test("an object in no pack is missing, and damaged bytes throw", async () => {
  const packs = packsOf("sha1");
  const store = openObjectStore(packs, "sha1");
  expect(await store.has("0".repeat(40))).toBe(false);
  expect(await store.has("nonsense")).toBe(false);
  await expect(store.read("f".repeat(40))).rejects.toMatchObject({ code: "missing-base" });
  const [first] = packs;
  const good = await first!.pack.read(0, first!.pack.size);
  const index = await first!.index.read(0, first!.index.size);
  const { oid } = allObjects("sha1").find(({ type }) => type === "commit")!;
  await fc.assert(
    fc.asyncProperty(fc.nat(index.length - 1), fc.nat(255), fc.boolean(), async (at, value, isPack) => {
      const pack = good.slice();
      const idx = index.slice();
      if (isPack) pack[at % pack.length] = value;
      else idx[at] = value;
      const broken = openObjectStore([{ pack: fileSource(pack), index: fileSource(idx) }], "sha1");
      const outcome = await broken.read(oid).catch((error: unknown) => error);
      expect(outcome instanceof GitPackError || "bytes" in (outcome as object)).toBe(true);
    }),
    { numRuns: 150 },
  );
}, 60_000);
