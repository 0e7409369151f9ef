import { expect, test } from "vitest";
import { randomBytes, utf8 } from "#core/kernel/crypto.ts";
import { randomIds } from "#core/kernel/ids.ts";
import { memoryBucket } from "#tests/harness/memory-bucket.ts";
import { memoryRegistry } from "#tests/harness/memory-registry.ts";
import { createBlobReader } from "./blob-reader.ts";
import {
  createPackWriter,
  decodePackIndex,
  encodePackIndex,
  hashOf,
  openBlob,
  type PackRow,
} from "./record-pack.ts";

const scope = { organisationId: "org_a", itemId: "itm_a" };

function setUp() {
  const organisationKey = { version: 1, bytes: randomBytes(32) };
  const bucket = memoryBucket();
  return { bucket, registry: memoryRegistry(), organisationKey, ids: randomIds, clock: { now: () => 0 } };
}

test("a blob is returned only if its hash matches, deflated or not", async () => {
  const deps = setUp();
  const packs = createPackWriter(deps, { scope, runId: "run_a", onWritten: () => {} });
  const texts = ["short", "long and even, ".repeat(100), "another short one"].map(utf8);
  const blobs = [];
  for (const plain of texts) blobs.push(await packs.add("record", plain, hashOf(plain)));
  await packs.flush();
  expect(blobs.map(({ where }) => where.method)).toEqual([0, 8, 0]);
  const reader = createBlobReader(deps, scope);
  for (const [i, asked] of blobs.entries()) {
    for (const [j, { hash }] of blobs.entries()) {
      const plain = reader.plain(asked.where, hash);
      if (i === j) expect(Buffer.from(await plain)).toEqual(Buffer.from(texts[i]!));
      else await expect(plain).rejects.toMatchObject({ kind: "tampered" });
    }
  }
});

test("a place behind the end of its pack is a truncated pack, in its last frame and beyond", async () => {
  const deps = setUp();
  const packs = createPackWriter(deps, { scope, runId: "run_a", onWritten: () => {} });
  const { where } = await packs.add("record", utf8("short"), hashOf("short"));
  await packs.flush();
  const reader = createBlobReader(deps, scope);
  const truncated = { kind: "truncated" };
  await expect(reader.stored({ ...where, length: 1_000 })).rejects.toMatchObject(truncated);
  await expect(reader.stored({ ...where, offset: 2 ** 21 })).rejects.toMatchObject(truncated);
  expect(await reader.stored({ ...where, offset: 2 ** 21, length: 0 })).toHaveLength(0);
});

test("stored bytes that do not inflate are damaged ones", () => {
  const blob = { method: 8 as const, hash: hashOf("a"), name: "a blob" };
  expect(() => openBlob(utf8("no deflated bytes"), blob)).toThrow(
    expect.objectContaining({ kind: "tampered", message: "a blob does not inflate" }),
  );
});

test("a pack's index comes back as it was written, and what is none is refused", () => {
  const rows: PackRow[] = [
    { type: "record", offset: 0, length: 7, method: 0, sizeBytes: 7, hash: hashOf("a") },
    { type: "chunk", offset: 7, length: 900, method: 8, sizeBytes: 2 ** 31, hash: hashOf("b") },
    { type: "root", offset: 907, length: 2 ** 23, method: 8, sizeBytes: 5, hash: hashOf("c") },
  ];
  const index = encodePackIndex(rows);
  expect(decodePackIndex(index)).toEqual(rows);
  const spoiled = (at: number, byte: number) => {
    const bytes = index.slice();
    bytes[at] = byte;
    return bytes;
  };
  const refused = [
    new Uint8Array(0),
    index.subarray(0, 7),
    index.subarray(0, -1),
    spoiled(0, 4),
    spoiled(0, 0),
    spoiled(1, 9),
    spoiled(index.length - 5, 4),
  ];
  for (const bytes of refused) {
    const tampered = expect.objectContaining({
      kind: "tampered",
      message: expect.stringContaining("record pack"),
    });
    expect(() => decodePackIndex(bytes)).toThrow(tampered);
  }
});

test("blobs of one frame cost one request in any order", async () => {
  const deps = setUp();
  const packs = createPackWriter(deps, { scope, runId: "run_a", onWritten: () => {} });
  const blobs = [];
  for (const plain of ["one", "two", "three"].map(utf8))
    blobs.push(await packs.add("record", plain, hashOf(plain)));
  await packs.flush();
  const reader = createBlobReader(deps, scope);
  for (const { where, hash } of blobs.reverse()) await reader.plain(where, hash);
  expect(deps.bucket.calls.get).toBe(1);
});

test("blobs that lie behind each other are read four frames at a time, and no frame twice", async () => {
  const deps = setUp();
  const packs = createPackWriter(deps, { scope, runId: "run_a", onWritten: () => {} });
  const blobs = [];
  for (let at = 0; at < 6; at++) {
    const plain = Buffer.concat(Array.from({ length: 16 }, () => randomBytes(65_535)));
    blobs.push(await packs.add("record", plain, hashOf(plain)));
  }
  await packs.flush();
  const reader = createBlobReader(deps, scope);
  for (const { where, hash } of blobs) await reader.plain(where, hash);
  // Frame 0 with the header, then frames 1 to 4 together, then 5 on.
  expect(deps.bucket.calls.get).toBe(3);
  for (const { where, hash } of blobs.toReversed()) await reader.plain(where, hash);
  expect(deps.bucket.calls.get).toBe(3);
});

test("a pack takes blobs up to eight megabytes with its index, and the next blob begins another", async () => {
  const deps = setUp();
  const written: number[] = [];
  const packs = createPackWriter(deps, {
    scope,
    runId: "run_a",
    onWritten: ({ sizeBytes }) => void written.push(sizeBytes),
  });
  const most = 8 * 1_048_576 - 4_096;
  const facts = { method: 0 as const, hash: hashOf("x"), sizeBytes: 5 };
  const first = await packs.addStored("record", new Uint8Array(1_000), facts);
  const fits = await packs.addStored("record", new Uint8Array(most - 1_000 - 2 * 48 - 8), facts);
  expect([fits.object, fits.offset, written]).toEqual([first.object, 1_000, []]);
  const next = await packs.addStored("record", new Uint8Array(0), facts);
  expect([next.object === first.object, next.offset, written]).toEqual([false, 0, [most]]);
  await packs.flush();
  await packs.flush();
  expect(written).toEqual([most, 56]);
  const large = await packs.addStored("record", new Uint8Array(most + 5), facts);
  expect(large.offset).toBe(0);
  packs.discard();
  await packs.flush();
  expect(written).toHaveLength(2);
});

test("short bytes and those that do not shrink are stored as they are", async () => {
  const packs = createPackWriter(setUp(), { scope, runId: "run_a", onWritten: () => {} });
  const methodOf = async (plain: Uint8Array) =>
    (await packs.add("record", plain, hashOf(plain))).where.method;
  expect(await methodOf(new Uint8Array(63))).toBe(0);
  expect(await methodOf(new Uint8Array(64))).toBe(8);
  expect(await methodOf(randomBytes(64))).toBe(0);
});
