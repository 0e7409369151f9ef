import { expect, test } from "vitest";
import { readDeltaHeader } from "./apply-delta.ts";
import { createDeltaStore } from "./delta-store.ts";
import { BLOB, COMMIT, TREE } from "./pack-entry.ts";
import { DEFAULT_PACK_LIMITS, type PackLimits } from "./pack-limits.ts";
import { createPackReader } from "./pack-source.ts";
import { newPackState } from "./pack-state.ts";
import {
  checkInMemory,
  isLarge,
  makeFromDelta,
  type PackWork,
  settleBlobFromDelta,
  settleName,
  settleObject,
  spendExpansion,
} from "./pack-work.ts";
import { createPayloadCache } from "./payload-cache.ts";
import { appending, oidOf, sourceOf } from "./test-packs.ts";

const MIB = 1024 * 1024;

function workOf(limits: Partial<PackLimits> = {}, count = 3): PackWork {
  return {
    state: newPackState("sha1", 100, count, MIB),
    reader: createPackReader(sourceOf(new Uint8Array(100))),
    cache: createPayloadCache(MIB),
    deltas: createDeltaStore(MIB),
    limits: { ...DEFAULT_PACK_LIMITS, ...limits },
    until: () => false,
    onStep: () => undefined,
  };
}

const nameAt = ({ state }: PackWork, index: number) =>
  Buffer.from(state.oids.subarray(index * 20, index * 20 + 20)).toString("hex");

test("inflated bytes are counted together, up to the pack's budget and no further", () => {
  const work = workOf({ expansion: 2 });
  spendExpansion(work, 256 * MIB);
  spendExpansion(work, 200);
  expect(work.state.expandedBytes).toBe(256 * MIB + 200);
  expect(() => spendExpansion(work, 1)).toThrow(expect.objectContaining({ code: "too-large" }));
});

test("an object of exactly the limit fits in memory, and one above half of the cache empties it", () => {
  const work = workOf({ inMemoryBytes: 100, cacheBytes: 20 });
  expect(() => checkInMemory(work, 100, 7)).not.toThrow();
  expect(() => checkInMemory(work, 101, 7)).toThrow(
    expect.objectContaining({ code: "too-large", offset: 7 }),
  );
  expect([isLarge(work, 10), isLarge(work, 11)]).toEqual([false, true]);
});

test("an object is named, and what it references, holds and breaks is noted", () => {
  const work = workOf();
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"a".repeat(64)}\nsize 5\n`;
  settleObject(work, 1, BLOB, Buffer.from(pointer));
  settleObject(work, 0, TREE, Buffer.from("broken"));
  settleObject(work, 2, COMMIT, Buffer.from(`tree ${"b".repeat(40)}\n\nx`));
  const { state } = work;
  expect([nameAt(work, 0), nameAt(work, 1)]).toEqual([oidOf("tree", "broken"), oidOf("blob", pointer)]);
  expect([[...state.types], state.resolved, state.references.count()]).toEqual([[TREE, BLOB, COMMIT], 3, 1]);
  expect(state.malformed).toEqual([oidOf("tree", "broken")]);
  expect([...state.lfs]).toEqual([["a".repeat(64), { oid: "a".repeat(64), sizeBytes: 5 }]]);
  // Only a blob is a pointer.
  const other = workOf();
  settleObject(other, 0, TREE, Buffer.from(pointer));
  expect(other.state.lfs.size).toBe(0);
  settleName(other, 2, BLOB, new Uint8Array(20).fill(9));
  expect([nameAt(other, 2), other.state.types[2]]).toEqual(["09".repeat(20), BLOB]);
});

test("an object from a delta counts with its base and the delta, and a large one empties the cache", () => {
  const base = Buffer.from("start");
  const delta = Uint8Array.from(appending(5, "+"));
  const together = 5 + delta.length + 6;
  const make = (limits: Partial<PackLimits>) => {
    const work = workOf(limits);
    work.cache.set(9, Buffer.from("kept"));
    const made = Buffer.from(makeFromDelta(work, base, delta, 7)).toString();
    return [made, work.cache.get(9) !== undefined, work.state.expandedBytes];
  };
  expect(make({ inMemoryBytes: together })).toEqual(["start+", true, 6]);
  expect(() => make({ inMemoryBytes: together - 1 })).toThrow(expect.objectContaining({ code: "too-large" }));
  expect(make({ cacheBytes: together * 2 })).toEqual(["start+", true, 6]);
  expect(make({ cacheBytes: together * 2 - 1 })).toEqual(["start+", false, 6]);
});

test("a large blob from a delta is named without being built", () => {
  const work = workOf();
  const delta = Uint8Array.from(appending(5, "+"));
  const header = readDeltaHeader(delta, 0);
  settleBlobFromDelta(work, 1, { base: Buffer.from("start"), delta, header });
  expect([nameAt(work, 1), work.state.types[1], work.state.expandedBytes]).toEqual([
    oidOf("blob", "start+"),
    BLOB,
    6,
  ]);
});
