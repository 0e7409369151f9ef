import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type GitWorkshop, openGitWorkshop } from "#connectors/toolkit/simulator/git-workshop.ts";
import { readCommit, walkCommits } from "./commit-walk.ts";
import { GitPackError } from "./git-pack-error.ts";
import { inflateInPieces } from "./inflate-in-pieces.ts";
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

/** Reads to the end and returns how many bytes came. */
async function drain(pieces: AsyncIterable<Uint8Array>): Promise<number> {
  let length = 0;
  for await (const piece of pieces) length += piece.length;
  return length;
}

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
    // By now the store has let go of the bytes of most of them.
    for (const { oid, type, size } of objects) {
      const object = await store.read(oid);
      expect([object.type, object.bytes.length]).toEqual([type, size]);
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

test("a large object whose stored bytes are damaged ends its stream in an error", async () => {
  const folder = join(workshop.folder, "sha1/.git/objects/pack");
  const zeros = allObjects("sha1").find(({ size }) => size === 6_000_000)!;
  let found = 0;
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".idx"))) {
    const lines = workshop.git("sha1", ["verify-pack", "-v", join(folder, name)]).split("\n");
    const [, , , packed, offset] = (lines.find((line) => line.startsWith(zeros.oid)) ?? "").split(/\s+/);
    if (offset === undefined) continue;
    found++;
    const index = fileSource(readFileSync(join(folder, name)));
    const pack = readFileSync(join(folder, name.replace(/idx$/, "pack")));
    pack[Number(offset) + Number(packed) - 2]! ^= 0x55;
    const store = openObjectStore([{ pack: fileSource(pack), index }], "sha1");
    await expect(drain(store.stream(zeros.oid))).rejects.toMatchObject({ code: "malformed" });
  }
  expect(found).toBe(1);
});

test("the checksum of a large object is read, also where it is a piece of its own", async () => {
  const compress = (length: number) => deflateSync(Buffer.alloc(length, 7), { level: 0 });
  // Pieces are of 4 KiB: the last two bytes of the checksum begin one.
  const length = 20_000 + ((2 - compress(20_000).length) & 4_095);
  const compressed = compress(length);
  expect(compressed.length % 4_096).toBe(2);
  const inflate = (bytes: Uint8Array) => {
    const inPack = Buffer.concat([bytes, Buffer.alloc(20)]);
    const load = async (at: number, wanted: number) => inPack.subarray(at, at + wanted);
    return drain(inflateInPieces({ load, sizeBytes: length, offset: 12 }));
  };
  expect(await inflate(compressed)).toBe(length);
  const damaged = Buffer.from(compressed);
  damaged[damaged.length - 1]! ^= 1;
  await expect(inflate(damaged)).rejects.toMatchObject({ code: "malformed" });
  await expect(inflate(compressed.subarray(0, -1))).rejects.toMatchObject({ code: "malformed" });
});

test("a walk gives the commits that git log gives, each once, the newest first", async () => {
  const store = openObjectStore(packsOf("sha1"), "sha1");
  const tip = workshop.git("sha1", ["rev-parse", "main"]).trim();
  const expected = workshop.git("sha1", ["log", "--format=%H %an %at %s", "main"]).trim().split("\n");
  const found: string[] = [];
  for await (const { oid, author, message } of walkCommits(store, tip))
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
