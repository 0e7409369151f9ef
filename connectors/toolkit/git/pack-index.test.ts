import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type GitWorkshop, openGitWorkshop } from "#connectors/toolkit/simulator/git-workshop.ts";
import { GitPackError } from "./git-pack-error.ts";
import { emptyPack, type GitObjectType, type ObjectFormat } from "./object-format.ts";
import { type IndexedPack, indexPack } from "./pack-index.ts";
import { readPackNames, sortByName, writePackIndex } from "./pack-index-file.ts";
import { openPackLookup } from "./pack-lookup.ts";
import { blob, delta, forge, indexAll, sourceOf } from "./test-packs.ts";

let workshop: GitWorkshop;
beforeAll(() => {
  workshop = openGitWorkshop();
  for (const format of ["sha1", "sha256"] as const) makeRepository(format);
});
afterAll(() => workshop.remove());

/** Joins the pieces into one array. */
const whole = (pieces: Iterable<Uint8Array>): Buffer => Buffer.concat([...pieces]);
const idxOf = (indexed: IndexedPack): Buffer => whole(indexed.idx());

async function failure(promise: Promise<unknown>): Promise<GitPackError> {
  const error = await promise.then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(GitPackError);
  return error as GitPackError;
}

/** Histories that git deltifies: a growing text, a deep tree, a large binary, tags, LFS pointers. */
function makeRepository(format: ObjectFormat): void {
  workshop.git(".", ["init", "-q", "-b", "main", `--object-format=${format}`, format]);
  const noise = Buffer.alloc(1_500_000);
  for (let i = 0, x = 9; i < noise.length; i++) {
    x = (Math.imul(x, 1_103_515_245) + 12_345) >>> 0;
    noise[i] = x >>> 17;
  }
  for (let round = 0; round < 12; round++) {
    workshop.write(
      `${format}/text.txt`,
      Array.from({ length: 3000 }, (_, i) => `line ${i + (i % 97 === round ? round : 0)}\n`).join(""),
    );
    workshop.write(`${format}/deep/er/and/deeper/file-${round}.txt`, `file ${round}\n`);
    noise[round * 1000] = round;
    if (round % 4 === 0) workshop.write(`${format}/noise.bin`, noise);
    workshop.commit(format, `round ${round}`);
  }
  workshop.write(`${format}/zeros.bin`, Buffer.alloc(3_000_000));
  workshop.write(`${format}/empty.txt`, "");
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"ab".repeat(32)}\nsize 12345\n`;
  workshop.write(`${format}/movie.mp4`, pointer);
  workshop.commit(format, "large files");
  workshop.git(format, ["tag", "-a", "-m", "annotated", "v1"]);
}

function pack(format: ObjectFormat, args: readonly string[], revisions = ""): Buffer {
  return workshop.gitBytes(format, ["pack-objects", "--stdout", "--revs", "--all", "-q", ...args], {
    input: revisions,
  });
}

function gitIndex(format: ObjectFormat, bytes: Uint8Array): Buffer {
  workshop.write("given.pack", bytes);
  workshop.git(".", ["index-pack", `--object-format=${format}`, "-o", "given.idx", "given.pack"]);
  return readFileSync(join(workshop.folder, "given.idx"));
}

const KINDS: [string, ObjectFormat, string[]][] = [
  ["deltas by offset", "sha1", ["--delta-base-offset"]],
  ["deltas by name", "sha1", []],
  ["SHA-256 and deltas by offset", "sha256", ["--delta-base-offset"]],
  ["SHA-256 and deltas by name", "sha256", []],
  ["no deltas", "sha1", ["--depth=0"]],
  ["stored, uncompressed objects", "sha1", ["--compression=0", "--no-reuse-object", "--delta-base-offset"]],
];

test.each(KINDS)("the index of a pack with %s equals git's byte for byte", async (_, objectFormat, args) => {
  const bytes = pack(objectFormat, args);
  const result = await indexAll(bytes, { objectFormat });
  expect(Buffer.compare(idxOf(result), gitIndex(objectFormat, bytes))).toBe(0);
  expect(result.missing).toEqual({ count: 0, oids: [] });
  expect(result.malformed).toEqual([]);
  expect(result.lfs).toEqual([{ oid: "ab".repeat(32), sizeBytes: 12_345 }]);
  expect(result.packHash).toBe(bytes.subarray(-(objectFormat === "sha1" ? 20 : 32)).toString("hex"));
  const { commit, tree, blob, tag } = result.counts;
  expect([commit, tag, commit + tree + blob + tag]).toEqual([13, 1, result.objects]);
  expect(result.names.has(workshop.git(objectFormat, ["rev-parse", "HEAD"]))).toBe(true);
  expect(result.names.has("1".repeat(result.packHash.length))).toBe(false);
});

test("tight limits change nothing: small caches, large blobs in pieces, every step in another isolate", async () => {
  for (const args of [["--delta-base-offset"], []]) {
    const bytes = pack("sha1", args);
    const expected = gitIndex("sha1", bytes);
    const tight = { cacheBytes: 1, streamAboveBytes: 1000 };
    // A quarter of the memory is enough beside the tables, however little that is.
    for (const limits of [tight, { ...tight, memoryBytes: 14 * MIB }]) {
      const small = await indexAll(bytes, { limits });
      expect(Buffer.compare(idxOf(small), expected)).toBe(0);
    }
  }
  workshop.git(".", ["init", "-q", "--bare", "many.git"]);
  let stream = "";
  for (let i = 0; i < 600; i++) {
    const text = Array.from(
      { length: 60 },
      (_, line) => `line ${line * (line % 60 === i % 60 ? i : 1)}\n`,
    ).join("");
    stream += `commit refs/heads/main\ncommitter A <a@b> ${1_700_000_000 + i} +0000\ndata 1\nx\nM 644 inline f${i % 40}\ndata ${text.length}\n${text}\n`;
  }
  workshop.git("many.git", ["fast-import", "--quiet"], { input: stream });
  for (const args of [["--delta-base-offset"], []]) {
    const bytes = workshop.gitBytes(
      "many.git",
      ["pack-objects", "--stdout", "--revs", "--all", "-q", "--no-reuse-delta", ...args],
      {},
    );
    let resume: Uint8Array | undefined;
    let slices = 0;
    for (;;) {
      const order = {
        objectFormat: "sha1" as const,
        resume: resume && [resume],
        until: () => true,
        limits: { cacheBytes: 4000 },
      };
      const result = await indexPack(sourceOf(bytes), order);
      slices += 1;
      if (result.kind === "indexed") {
        expect(Buffer.compare(idxOf(result), gitIndex("sha1", bytes))).toBe(0);
        expect(result.missing.count).toBe(0);
        break;
      }
      expect(result.total).toBe(1790);
      resume = whole(result.state);
    }
    expect(slices).toBeGreaterThan(10);
    const error = await failure(
      indexPack(sourceOf(bytes), { objectFormat: "sha1", resume: [resume!.slice(0, -1)] }),
    );
    expect(error.code).toBe("malformed");
  }
});

test("a thin pack finds its bases in earlier packs or reports the missing one", async () => {
  const base = workshop.git("sha1", ["rev-parse", "HEAD~3"]);
  const thin = pack("sha1", ["--thin"], `HEAD\n^${base}\n`);
  const error = await failure(indexAll(thin));
  expect(error.code).toBe("missing-base");
  const asked: string[] = [];
  const result = await indexAll(thin, {
    findOutside: async (oid) => {
      asked.push(oid);
      const type = workshop.git("sha1", ["cat-file", "-t", oid]) as GitObjectType;
      return { type, bytes: workshop.gitBytes("sha1", ["cat-file", type, oid]) };
    },
  });
  expect(asked.length).toBeGreaterThan(0);
  expect(result.names.has(workshop.git("sha1", ["rev-parse", "HEAD"]))).toBe(true);
});

test("an increment references earlier packs, and objects in none of them are reported", async () => {
  const middle = workshop.git("sha1", ["rev-parse", "HEAD~5"]);
  const first = await indexAll(pack("sha1", ["--delta-base-offset"], `${middle}\n`));
  const increment = pack("sha1", ["--delta-base-offset"], `^${middle}\n`);
  const after = await indexAll(increment, { earlier: [await readPackNames(first.idx(), "sha1")] });
  expect(after.missing.count).toBe(0);
  const alone = await indexAll(increment);
  expect(alone.missing.count).toBeGreaterThan(0);
  expect(alone.missing.oids).toContain(middle.slice(0, 16));
});

test("submodules are not looked up, and a pack without objects has an empty index", async () => {
  workshop.git(".", ["init", "-q", "-b", "main", "sub"]);
  workshop.git("sub", ["update-index", "--add", "--cacheinfo", `160000,${"c".repeat(40)},lib`]);
  workshop.git("sub", ["commit", "-q", "-m", "with a submodule"]);
  const bytes = workshop.gitBytes("sub", ["pack-objects", "--stdout", "--revs", "--all", "-q"], {});
  expect((await indexAll(bytes)).missing.count).toBe(0);
  for (const objectFormat of ["sha1", "sha256"] as const) {
    const none = await indexAll(emptyPack(objectFormat), { objectFormat });
    expect(none.objects).toBe(0);
    expect((await readPackNames(none.idx(), objectFormat)).count).toBe(0);
  }
});

test("offsets past two gigabytes go through git's table of large offsets, and are found there", async () => {
  const count = 5;
  const oids = new Uint8Array(count * 20).map((_, i) => (i * 37) % 251);
  const offsets = Float64Array.of(12, 0x7fffffff, 0x80000000, 0x123456789ab, 99);
  const packHash = new Uint8Array(20).fill(7);
  const entries = {
    objectFormat: "sha1",
    count,
    oids,
    crcs: new Uint32Array(count),
    offsets,
    packHash,
  } as const;
  const idx = whole(writePackIndex(entries, sortByName(entries)));
  const shown = workshop.git(".", ["show-index"], { input: idx });
  const load = async (at: number, length: number) => idx.subarray(at, at + length);
  const lookup = await openPackLookup({ size: idx.length, load }, "sha1");
  for (let i = 0; i < count; i++) {
    const oid = Buffer.from(oids.subarray(i * 20, i * 20 + 20)).toString("hex");
    expect(shown).toContain(`${offsets[i]} ${oid}`);
    expect(await lookup.offsetOf(oid)).toBe(offsets[i]);
  }
});

test("a damaged index is refused", async () => {
  const idx = idxOf(await indexAll(pack("sha1", [])));
  for (const at of [0, 5, 900, 1030, 1040, idx.length - 1]) {
    const bad = Buffer.from(idx);
    bad[at]! ^= 0x10;
    await expect(readPackNames([bad], "sha1")).rejects.toThrow(GitPackError);
  }
  for (const length of [0, 7, 1000, idx.length - 8]) {
    await expect(readPackNames([idx.subarray(0, length)], "sha1")).rejects.toThrow(GitPackError);
  }
});

const damaged = (bytes: Buffer): Buffer => bytes.fill(0x5a, 5000, 5040);
const MIB = 1024 * 1024;
const LARGE = Buffer.alloc(9 * MIB);

test.each<[string, Buffer, string]>([
  ["an object count of 2^32-1", forge([blob("x")], 0xffffffff), "malformed"],
  ["one object too many counted", forge([blob("a".repeat(99)), blob("b".repeat(99))], 3), "malformed"],
  ["one object too few counted", forge([blob("a"), blob("b")], 1), "malformed"],
  ["a size that is a lie upwards", forge([{ ...blob("abc"), size: 4 }]), "malformed"],
  ["a size that is a lie downwards", forge([{ ...blob("abc"), size: 2 }]), "malformed"],
  [
    "a compression bomb behind a small size",
    forge([{ ...blob(Buffer.alloc(64 * MIB)), size: 100 }]),
    "malformed",
  ],
  [
    "a bomb behind the size of a stream",
    forge([{ ...blob(Buffer.alloc(64 * MIB)), size: 10 * MIB }]),
    "malformed",
  ],
  [
    "a size beyond all numbers",
    forge([{ kind: 3, size: 1, extra: new Uint8Array(12).fill(0xff), body: deflateSync("x") }]),
    "malformed",
  ],
  [
    "a large blob whose stream is damaged",
    forge([{ ...blob(LARGE), body: damaged(deflateSync(LARGE)) }]),
    "malformed",
  ],
  [
    "a large blob whose stream is cut",
    forge([{ ...blob(LARGE), body: deflateSync(LARGE).subarray(0, 900) }]),
    "malformed",
  ],
  ["an unknown type", forge([{ kind: 5, size: 1, body: deflateSync("x") }]), "malformed"],
  ["a delta that leans on itself", forge([blob("abc"), delta([3, 1, 1, 65], 0)]), "malformed"],
  [
    "a delta that leans before the first object",
    forge([blob("abc"), delta([3, 1, 1, 65], 127)]),
    "malformed",
  ],
  ["a delta for another base", forge([blob("abc"), delta([4, 1, 1, 65], 12)]), "malformed"],
  ["a copy past the base", forge([blob("abc"), delta([3, 9, 0x90, 9], 12)]), "malformed"],
  ["a delta that makes too little", forge([blob("abc"), delta([3, 9, 0x90, 3], 12)]), "malformed"],
  ["a delta that makes too much", forge([blob("abc"), delta([3, 2, 0x90, 3], 12)]), "malformed"],
  ["a delta that ends inside a command", forge([blob("abc"), delta([3, 3, 0xff], 12)]), "malformed"],
  ["a delta with the reserved command", forge([blob("abc"), delta([3, 3, 0], 12)]), "malformed"],
  [
    "a delta that promises 4 GB",
    forge([blob("abc"), delta([3, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x90, 3], 12)]),
    "too-large",
  ],
  [
    "a name for a base that is nowhere",
    forge([{ kind: 7, size: 4, extra: new Uint8Array(20), body: deflateSync(Uint8Array.of(3, 1, 1, 65)) }]),
    "missing-base",
  ],
  ["a commit of gigabytes", forge([{ kind: 1, size: 3e9, body: deflateSync("x") }]), "too-large"],
  ["no pack at all", Buffer.from("this is no pack but a text of some length"), "malformed"],
  ["nothing", Buffer.alloc(0), "malformed"],
])("%s throws a typed error", async (_, bytes, code) => {
  expect((await failure(indexAll(bytes))).code).toBe(code);
});

test("many deltas of a large base exceed the work limit", async () => {
  // Sizes of 1 MiB and 16 MiB, then sixteen copies of the whole base.
  const copyAll = [0x80, 0x80, 0x40, 0x80, 0x80, 0x80, 0x08];
  for (let i = 0; i < 16; i++) copyAll.push(0x80 | 0x40, 0x10);
  const base = blob(Buffer.alloc(MIB));
  const entries = [base];
  const deltas = Array.from({ length: 10 }, () => ({
    kind: 7,
    size: copyAll.length,
    extra: createHash("sha1").update(`blob ${MIB}\0`).update(Buffer.alloc(MIB)).digest(),
    body: deflateSync(Uint8Array.from(copyAll)),
  }));
  const bytes = forge([...entries, ...deltas]);
  const fine = await indexAll(bytes);
  expect(fine.objects).toBe(11);
  const many = forge([...entries, ...Array.from({ length: 20 }, () => deltas[0]!)]);
  const error = await failure(indexAll(many));
  expect(error.code).toBe("too-large");
});

test("damage, truncation and shifted bytes anywhere in a pack throw a typed error", async () => {
  workshop.git(".", ["init", "-q", "-b", "main", "rot"]);
  for (let i = 0; i < 6; i++) {
    workshop.write("rot/a.txt", `${"common line\n".repeat(40)}${i}\n`);
    workshop.write(`rot/b${i}.txt`, `b ${i}\n`);
    workshop.commit("rot", `${i}`);
  }
  const packs = [["--delta-base-offset"], []].map((args) =>
    workshop.gitBytes("rot", ["pack-objects", "--stdout", "--revs", "--all", "-q", ...args], {}),
  );
  const mutation = fc.oneof(
    fc.record({ kind: fc.constant("flip" as const), at: fc.nat(), bit: fc.nat(7) }),
    fc.record({ kind: fc.constant("cut" as const), at: fc.nat() }),
    fc.record({
      kind: fc.constant("set" as const),
      at: fc.nat(),
      bytes: fc.uint8Array({ minLength: 1, maxLength: 12 }),
    }),
    fc.record({ kind: fc.constant("drop" as const), at: fc.nat(), length: fc.integer({ min: 1, max: 40 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...packs), mutation, fc.boolean(), async (whole, change, isResealed) => {
      let bytes = Buffer.from(whole);
      const at = change.at % bytes.length;
      if (change.kind === "flip") bytes[at]! ^= 1 << change.bit;
      else if (change.kind === "cut") bytes = bytes.subarray(0, at);
      else if (change.kind === "set") bytes.set(change.bytes.subarray(0, bytes.length - at), at);
      else bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + change.length)]);
      if (bytes.equals(whole)) return;
      if (isResealed && bytes.length > 40) {
        // A valid trailer around wrong bytes: the objects themselves must reveal the damage.
        const end = bytes.length - 20;
        createHash("sha1").update(bytes.subarray(0, end)).digest().copy(bytes, end);
      }
      const outcome = await indexAll(bytes).catch((cause: unknown) => cause);
      if (outcome instanceof GitPackError) return;
      // Damaged bytes with a new trailer may still be a valid pack, e.g. of another text; its objects then no longer
      // match.
      expect(isResealed).toBe(true);
      const { missing, malformed, idx } = outcome as IndexedPack;
      if (missing.count + malformed.length === 0) {
        // Only the header of a zlib stream can change without changing an object.
        expect((await readPackNames(idx(), "sha1")).count).toBeGreaterThan(0);
      }
    }),
    { numRuns: 600 },
  );
});
