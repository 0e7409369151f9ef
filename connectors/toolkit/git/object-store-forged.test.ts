import { expect, test } from "vitest";
import { openObjectStore } from "./object-store.ts";
import { sortByName, writePackIndex } from "./pack-index-file.ts";
import {
  appending,
  blob,
  delta,
  entryBytes,
  type ForgedEntry,
  forge,
  indexAll,
  namedDelta,
  noise,
  objectEntry,
  oidOf,
  openForged,
  replacing,
  sourceOf,
} from "./test-packs.ts";

const MIB = 1024 * 1024;

/** Opens a pack with an index that says what the test wants. */
function openFalse(pack: Buffer, places: [oid: string, offset: number][]) {
  const oids = Buffer.concat(places.map(([oid]) => Buffer.from(oid, "hex")));
  const entries = {
    objectFormat: "sha1" as const,
    count: places.length,
    oids,
    crcs: new Uint32Array(places.length),
    offsets: Uint32Array.from(places.map(([, offset]) => offset)),
    packHash: pack.subarray(-20),
  };
  const index = Buffer.concat([...writePackIndex(entries, sortByName(entries))]);
  return openObjectStore([{ pack: sourceOf(pack), index: sourceOf(index) }], "sha1");
}

test("deltas by place and by name are built on their bases, also in another pack", async () => {
  const first = blob("start");
  const start = oidOf("blob", "start");
  const byPlace = delta(appending(5, "+"), entryBytes(first).length);
  const byName = namedDelta(appending(6, "!"), oidOf("blob", "start+"));
  const pack = forge([first, byPlace]);
  const store = await openForged(pack, forge([...[first, byPlace, byName], objectEntry("tag", "a tag")]));
  const other = forge([namedDelta(appending(5, "?"), start)]);
  const found = { type: "blob" as const, bytes: Buffer.from("start") };
  const thin = await indexAll(other, { findOutside: async () => found });
  const across = openObjectStore(
    [
      { pack: sourceOf(other), index: sourceOf(Buffer.concat([...thin.idx()])) },
      { pack: sourceOf(pack), index: sourceOf(Buffer.concat([...(await indexAll(pack)).idx()])) },
    ],
    "sha1",
  );
  const texts = ["start", "start+", "start+!"];
  for (const text of [...texts, ...texts]) {
    const oid = oidOf("blob", text);
    const { type, bytes } = await store.read(oid);
    expect([type, Buffer.from(bytes).toString()]).toEqual(["blob", text]);
    expect(await store.facts(oid)).toEqual({ type: "blob", sizeBytes: text.length });
  }
  expect((await store.read(oidOf("tag", "a tag"))).type).toBe("tag");
  const oid = oidOf("blob", "start?");
  expect(Buffer.from((await across.read(oid)).bytes).toString()).toBe("start?");
  expect(await across.facts(oid)).toEqual({ type: "blob", sizeBytes: 6 });
});

test("a delta is never streamed as it is stored, however large", async () => {
  const base = noise(1_200_000);
  const entries: ForgedEntry[] = [blob("start")];
  entries.push(delta(replacing(5, base), entryBytes(entries[0]!).length));
  expect(entries[1]!.size).toBeGreaterThan(MIB);
  const store = await openForged(forge(entries));
  const oid = oidOf("blob", base);
  for (let turn = 0; turn < 2; turn++) {
    const pieces: Buffer[] = [];
    for await (const piece of store.stream(oid)) pieces.push(Buffer.from(piece));
    expect(Buffer.concat(pieces).equals(base)).toBe(true);
  }
});

test("an object of up to a megabyte is given at once, a larger one in pieces", async () => {
  const sizes = [MIB, MIB + 1];
  const store = await openForged(forge(sizes.map((size) => blob(Buffer.alloc(size, size % 7)))));
  const counts: number[] = [];
  for (const size of sizes) {
    let pieces = 0;
    for await (const _ of store.stream(oidOf("blob", Buffer.alloc(size, size % 7)))) pieces += 1;
    counts.push(pieces);
  }
  expect(counts[0]).toBe(1);
  expect(counts[1]).toBeGreaterThan(1);
});

test("the limit for one object holds for what is stored and for what a delta makes", async () => {
  const pack = forge([blob("x".repeat(100))]);
  const index = Buffer.concat([...(await indexAll(pack)).idx()]);
  const open = (limit: number) =>
    openObjectStore([{ pack: sourceOf(pack), index: sourceOf(index) }], "sha1", limit);
  const oid = oidOf("blob", "x".repeat(100));
  expect((await open(100).read(oid)).bytes.length).toBe(100);
  await expect(open(99).read(oid)).rejects.toMatchObject({ code: "too-large" });
  const grown = forge([blob("start"), delta([5, 100, 0x90, 5, 95, ...Buffer.alloc(95, 65)], 14)]);
  const place = entryBytes(blob("start")).length;
  const store = openFalse(grown, [
    [oidOf("blob", "start"), 12],
    ["e".repeat(40), 12 + place],
  ]);
  expect((await store.read(oidOf("blob", "start"))).bytes.length).toBe(5);
  const large = forge([blob("y".repeat(1_000_001)), blob("x")]);
  const told = openObjectStore(
    [{ pack: sourceOf(large), index: sourceOf(Buffer.concat([...(await indexAll(large)).idx()])) }],
    "sha1",
    1_000_000,
  );
  await expect(told.read(oidOf("blob", "y".repeat(1_000_001)))).rejects.toThrow(
    "An object of 2 MB is too large to be opened here",
  );
});

test("a delta whose result is beyond the limit is refused before it is built", async () => {
  const base = blob("start");
  const distance = entryBytes(base).length;
  const pack = forge([base, delta(appending(5, "x".repeat(60)), distance)]);
  const index = Buffer.concat([...(await indexAll(pack)).idx()]);
  const open = (limit: number) =>
    openObjectStore([{ pack: sourceOf(pack), index: sourceOf(index) }], "sha1", limit);
  const oid = oidOf("blob", `start${"x".repeat(60)}`);
  // The delta itself takes 65 bytes: two sizes, a copy of two bytes, and the text with its length.
  expect((await open(65).read(oid)).bytes.length).toBe(65);
  await expect(open(64).read(oid)).rejects.toMatchObject({ code: "too-large" });
});

test("a chain of deltas that leads back to itself, or outside its pack, is refused", async () => {
  const self = "1".repeat(40);
  const circle = openFalse(forge([namedDelta([1, 1, 1, 65], self)]), [[self, 12]]);
  await expect(circle.read(self)).rejects.toMatchObject({
    code: "malformed",
    message: expect.stringContaining("does not end"),
  });
  for (const distance of [0, 12, 13]) {
    const outside = openFalse(forge([delta([1, 1, 1, 65], distance)]), [[self, 12]]);
    await expect(outside.facts(self)).rejects.toMatchObject({
      code: "malformed",
      message: expect.stringContaining("outside its pack"),
    });
  }
  const nowhere = openFalse(forge([namedDelta([1, 1, 1, 65], "2".repeat(40))]), [[self, 12]]);
  await expect(nowhere.read(self)).rejects.toMatchObject({
    code: "missing-base",
    message: `No stored git pack holds the object ${"2".repeat(40)}`,
  });
});

test("a pack that ends inside an object is refused", async () => {
  const pack = forge([blob(noise(5_000))]);
  const oid = "1".repeat(40);
  const cut = openFalse(pack.subarray(0, 2_000), [[oid, 12]]);
  await expect(cut.read(oid)).rejects.toMatchObject({
    code: "malformed",
    message: expect.stringContaining("ends inside an object"),
  });
});
