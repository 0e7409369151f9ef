import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import type { ObjectFormat } from "./object-format.ts";
import { type IndexPackOrder, indexPack } from "./pack-index.ts";
import { readPackNames } from "./pack-index-file.ts";
import { openPackLookup } from "./pack-lookup.ts";
import {
  appending,
  blob,
  commitText,
  delta,
  entryBytes,
  type ForgedEntry,
  forge,
  indexAll,
  namedDelta,
  noise,
  objectEntry,
  oidOf,
  sized,
  sourceOf,
  treeBytes,
} from "./test-packs.ts";

const MIB = 1024 * 1024;

/** The names of an index and their offsets. */
async function placesOf(bytes: Uint8Array, order: Partial<IndexPackOrder> = {}) {
  const indexed = await indexAll(bytes, order);
  const idx = Buffer.concat([...indexed.idx()]);
  const load = async (at: number, length: number) => idx.subarray(at, at + length);
  const lookup = await openPackLookup({ size: idx.length, load }, order.objectFormat ?? "sha1");
  const places = new Map<string, number | null>();
  for await (const oid of lookup.names()) places.set(Buffer.from(oid).toString(), null);
  for (const oid of places.keys()) places.set(oid, await lookup.offsetOf(oid));
  return { indexed, places };
}

/** Where each entry of a forged pack begins. */
function offsetsOf(entries: readonly ForgedEntry[]): number[] {
  const offsets: number[] = [];
  let at = 12;
  for (const entry of entries) {
    offsets.push(at);
    at += entryBytes(entry).length;
  }
  return offsets;
}

/** A chain of blobs, each a delta on the one before it; and the names of all. */
function chain(links: number, format: ObjectFormat = "sha1") {
  const entries: ForgedEntry[] = [blob("start")];
  const texts = ["start"];
  for (let link = 1; link <= links; link++) {
    const before = texts.at(-1)!;
    entries.push(delta(appending(before.length, "+"), entryBytes(entries.at(-1)!).length));
    texts.push(`${before}+`);
  }
  return { entries, oids: texts.map((text) => oidOf("blob", text, format)) };
}

const LIMITS: Partial<IndexPackOrder>[] = [
  {},
  { limits: { cacheBytes: 1 } },
  { limits: { cacheBytes: 1, deltaBytes: 0 } },
  { limits: { deltaBytes: 0 } },
  { limits: { streamAboveBytes: 6 } },
];

test.each(LIMITS)("deltas in any order get their own names, with the limits %o", async (order) => {
  const { entries, oids } = chain(40);
  const { places } = await placesOf(forge(entries), order);
  const expected = oids.map((oid, at) => [oid, offsetsOf(entries)[at]] as const);
  expect(new Map([...places].sort())).toEqual(new Map([...expected].sort()));
  // By name, the deltas stand before their bases.
  const named: ForgedEntry[] = [];
  for (let link = 6; link > 0; link--) named.push(namedDelta(appending(4 + link, "+"), oids[link - 1]!));
  named.push(blob("start"));
  const back = await placesOf(forge(named), order);
  const backwards = offsetsOf(named).map((offset, at) => [oids[6 - at]!, offset] as const);
  expect(new Map([...back.places].sort())).toEqual(new Map([...backwards].sort()));
});

test("many deltas may have one base, in a pack of either format", async () => {
  for (const format of ["sha1", "sha256"] as const) {
    const base = oidOf("blob", "start", format);
    const entries = [blob("start"), ...["a", "b", "c"].map((text) => namedDelta(appending(5, text), base))];
    const { places } = await placesOf(forge(entries, entries.length, format), { objectFormat: format });
    const names = ["start", "starta", "startb", "startc"].map((text) => oidOf("blob", text, format));
    expect([...places.keys()]).toEqual(names.sort());
  }
});

test("objects keep their type through deltas, and what they reference and hold is found", async () => {
  const tree = treeBytes(["100644", "a", oidOf("blob", "content")]);
  const commit = commitText(oidOf("tree", tree));
  const tag = `object ${oidOf("commit", commit)}\ntype commit\n\nv1\n`;
  const longer = `${commit}+`;
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"ab".repeat(32)}\nsize 5\n`;
  const copyAll = [0x80 | 0x10 | 0x20, commit.length & 255, commit.length >> 8];
  const sizes = [...sized(commit.length), ...sized(longer.length)];
  const commitEntry = objectEntry("commit", commit);
  const entries = [
    commitEntry,
    delta([...sizes, ...copyAll, 1, 43], entryBytes(commitEntry).length),
    objectEntry("tree", tree),
    objectEntry("tag", tag),
    blob(pointer),
  ];
  const { indexed, places } = await placesOf(forge(entries));
  expect(indexed.counts).toEqual({ commit: 2, tree: 1, blob: 1, tag: 1 });
  expect(places.has(oidOf("commit", longer))).toBe(true);
  expect(indexed.lfs).toEqual([{ oid: "ab".repeat(32), sizeBytes: 5 }]);
  expect(indexed.missing).toEqual({ count: 1, oids: [oidOf("blob", "content").slice(0, 16)] });
  const earlier = await readPackNames((await indexAll(forge([blob("content")]))).idx(), "sha1");
  expect((await indexAll(forge(entries), { earlier: [earlier] })).missing.count).toBe(0);
});

test("a hundred missing and a hundred malformed objects are named, all missing ones are counted", async () => {
  const names = Array.from({ length: 130 }, (_, at) => (at + 256).toString(16).padEnd(40, "0"));
  const tree = treeBytes(...names.map((oid): [string, string, string] => ["100644", "x", oid]));
  const { missing } = await indexAll(forge([objectEntry("tree", tree)]));
  expect([missing.count, missing.oids.length]).toEqual([130, 100]);
  expect(missing.oids).toEqual([...missing.oids].sort());
  expect(missing.oids.every((oid) => names.some((name) => name.startsWith(oid)))).toBe(true);
  const broken = Array.from({ length: 120 }, (_, at) => objectEntry("tree", `broken ${at}`));
  const { malformed } = await indexAll(forge(broken));
  expect(malformed).toEqual(Array.from({ length: 100 }, (_, at) => oidOf("tree", `broken ${at}`)));
});

test("a delta on an object of an earlier pack is resolved from there, also through a chain", async () => {
  const outside = oidOf("blob", "start");
  const first = namedDelta(appending(5, "+"), outside);
  const entries = [first, delta(appending(6, "+"), entryBytes(first).length), blob("other")];
  const asked: string[] = [];
  const findOutside = async (oid: string) => {
    asked.push(oid);
    return oid === outside ? { type: "blob" as const, bytes: Buffer.from("start") } : null;
  };
  for (const limits of [{}, { cacheBytes: 1 }]) {
    const { places } = await placesOf(forge(entries), { findOutside, limits });
    expect([...places.keys()].sort()).toEqual(
      ["start+", "start++", "other"].map((text) => oidOf("blob", text)).sort(),
    );
  }
  expect(new Set(asked)).toEqual(new Set([outside]));
  const missing = { code: "missing-base", message: expect.stringContaining(outside) };
  await expect(indexAll(forge(entries))).rejects.toMatchObject(missing);
  await expect(indexAll(forge(entries), { findOutside: async () => null })).rejects.toMatchObject(missing);
  let turn = 0;
  const forgetful = async () =>
    ++turn === 1 ? { type: "blob" as const, bytes: Buffer.from("start") } : null;
  await expect(indexAll(forge(entries), { findOutside: forgetful })).rejects.toMatchObject({
    code: "missing-base",
    message: expect.stringContaining("no longer found"),
  });
});

test("deltas that lean on each other are refused", async () => {
  const [one, two] = ["1".repeat(40), "2".repeat(40)];
  const entries = [namedDelta([1, 1, 1, 65], one), namedDelta([1, 1, 1, 66], two)];
  await expect(indexAll(forge(entries))).rejects.toMatchObject({ code: "missing-base" });
});

test("large blobs are named without being held, whole or as a delta on a base in memory", async () => {
  const base = noise(9_000);
  const copies = Array.from({ length: 6 }, () => [0x80 | 0x10 | 0x20, 0x28, 0x23]).flat();
  const sizes = [...sized(9_000), ...sized(54_000)];
  const baseEntry = blob(base);
  const entries = [
    baseEntry,
    delta([...sizes, ...copies], entryBytes(baseEntry).length),
    blob(noise(30_000, 5)),
    blob("last"),
  ];
  const names = [base, Buffer.concat(Array.from({ length: 6 }, () => base)), noise(30_000, 5), "last"];
  const expected = names.map((payload) => oidOf("blob", payload)).sort();
  for (const limits of [
    {},
    { streamAboveBytes: 10_000 },
    { streamAboveBytes: 100 },
    { streamAboveBytes: 100, cacheBytes: 1, deltaBytes: 0 },
  ]) {
    const { indexed, places } = await placesOf(forge(entries), { limits });
    expect([...places.keys()]).toEqual(expected);
    expect(indexed.counts.blob).toBe(4);
  }
});

test("an object that does not fit in the memory for one object is too large, alone or with its base", async () => {
  const commit = (length: number) => objectEntry("commit", "x".repeat(length));
  const limits = { inMemoryBytes: 1_000 };
  await expect(indexAll(forge([commit(1_000)]), { limits })).resolves.toBeDefined();
  await expect(indexAll(forge([commit(1_001)]), { limits })).rejects.toMatchObject({
    code: "too-large",
    message: expect.stringContaining("1001 bytes"),
  });
  const { entries } = chain(3);
  await expect(indexAll(forge(entries), { limits: { inMemoryBytes: 30 } })).resolves.toBeDefined();
  await expect(indexAll(forge(entries), { limits: { inMemoryBytes: 20 } })).rejects.toMatchObject({
    code: "too-large",
  });
});

test("a delta that does not fit beside its base is refused before it is inflated", async () => {
  const delta6 = namedDelta(appending(5, "+"), oidOf("blob", "start"));
  expect(delta6.size).toBe(6);
  const pack = forge([blob("start"), delta6]);
  const told = (inMemoryBytes: number) =>
    indexAll(pack, { limits: { inMemoryBytes, deltaBytes: 0 } }).catch((error: Error) => error.message);
  expect(await told(10)).toMatch(/^An object that takes 11 bytes/);
  expect(await told(11)).toMatch(/^An object that takes 17 bytes/);
});

test("something that is no pack, of another version, or with more objects than room is refused", async () => {
  const good = forge([blob("x")]);
  const changed = (at: number, ...bytes: number[]) => {
    const bad = Buffer.from(good);
    bad.set(bytes, at);
    return bad;
  };
  const refusal = (bytes: Uint8Array) =>
    indexAll(bytes).then(
      () => ["none", ""],
      (error: { code: string; message: string }) => [error.code, error.message],
    );
  expect(await refusal(changed(0, 0x51))).toEqual(["malformed", "This is no pack (at byte 0)"]);
  for (const version of [0, 1, 4])
    expect(await refusal(changed(7, version))).toEqual([
      "malformed",
      "This is no pack of version 2 or 3 (at byte 0)",
    ]);
  expect(await refusal(good.subarray(0, 31))).toEqual(["malformed", "The pack is too short to be one"]);
  expect(await refusal(changed(11, 2))).toEqual([
    "malformed",
    "The pack counts more objects than it has room for (at byte 8)",
  ]);
  const behind = Buffer.concat([good.subarray(0, -20), Buffer.alloc(30)]);
  expect((await refusal(behind))[1]).toMatch(/holds more than the objects it counts/);
  expect((await refusal(changed(good.length - 1, good.at(-1)! ^ 1)))[0]).toBe("checksum");
});

test("an empty blob is the smallest object, and packs of nothing but it are counted exactly", async () => {
  const smallest = { ...blob(""), body: deflateSync("") };
  expect(entryBytes(smallest)).toHaveLength(9);
  expect((await indexAll(forge([smallest, smallest, smallest]))).objects).toBe(3);
});

test("objects whose compressed bytes are wasteful or cross blocks are read", async () => {
  const text = Buffer.from("wasteful".repeat(20));
  const blocks = [...text].flatMap((byte) => [0, 1, 0, 0xfe, 0xff, byte]);
  const body = Buffer.from([0x78, 0x01, ...blocks, 1, 0, 0, 0xff, 0xff, ...deflateSync(text).subarray(-4)]);
  const filler = blob(noise(MIB - 60));
  const late = [1, 2, 3, 4, 5, 6].map((seed) => blob(noise(9_000, seed)));
  const entries = [filler, { ...blob(text), body }, ...late, { ...blob(text), body }];
  const { places } = await placesOf(forge(entries));
  expect(places.has(oidOf("blob", text))).toBe(true);
  expect(places.get(oidOf("blob", noise(9_000, 6)))).toBe(offsetsOf(entries)[7]);
});

test("compressed bytes that do not end are refused", async () => {
  for (const [name, body] of [
    ["cut", deflateSync(noise(5_000)).subarray(0, 2_000)],
    ["damaged", Buffer.from(deflateSync(noise(5_000))).fill(0, 100, 300)],
  ] as const) {
    const bytes = forge([{ ...blob(noise(5_000)), body }]);
    await expect(indexAll(bytes), name).rejects.toMatchObject({ code: "malformed" });
  }
});

test("an interrupted check goes on where it stopped, reads nothing twice, and tells its progress", async () => {
  const { entries } = chain(300);
  const first = Array.from({ length: 200 }, (_, at) => blob(`blob ${at}`));
  const bytes = forge([...first, ...entries]);
  const whole = Buffer.concat([...(await indexAll(bytes)).idx()]);
  for (const limits of [{}, { cacheBytes: 1, deltaBytes: 0 }]) {
    let resume: Uint8Array[] | null = null;
    const seen: string[] = [];
    let slices = 0;
    for (;;) {
      const result = await indexPack(sourceOf(bytes), {
        objectFormat: "sha1",
        resume,
        until: () => true,
        limits,
        onProgress: ({ phase, done, total, unit }) => seen.push(`${phase} ${done} of ${total} ${unit}`),
      });
      slices += 1;
      if (result.kind === "indexed") {
        expect(Buffer.concat([...result.idx()]).equals(whole)).toBe(true);
        break;
      }
      expect(result.total).toBe(501);
      resume = [...result.state].map((piece) => piece.slice());
    }
    expect(slices).toBeGreaterThan(3);
    expect(seen.slice(0, 3)).toEqual([
      "Checking objects 128 of 501 objects",
      "Checking objects 256 of 501 objects",
      "Checking objects 384 of 501 objects",
    ]);
    expect(seen).toContain("Checking objects 501 of 501 objects");
  }
});

test("after an interruption the trailer is still compared with the whole pack", async () => {
  const bytes = forge(Array.from({ length: 200 }, (_, at) => blob(`blob ${at}`)));
  const begun = await indexPack(sourceOf(bytes), { objectFormat: "sha1", until: () => true });
  if (begun.kind !== "suspended") throw new Error("not suspended");
  expect(begun.done).toBe(128);
  const state = [...begun.state].map((piece) => piece.slice());
  const other = Buffer.from(bytes);
  other[other.length - 1]! ^= 1;
  await expect(indexAll(other, { resume: state })).rejects.toMatchObject({
    code: "checksum",
    offset: bytes.length - 20,
  });
  expect((await indexAll(bytes, { resume: state })).objects).toBe(200);
});
