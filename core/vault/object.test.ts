import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createNoise } from "#connectors/toolkit/simulator/history-script.ts";
import { randomBytes } from "#core/kernel/crypto.ts";
import { randomIds } from "#core/kernel/ids.ts";
import { memoryBucket } from "#tests/harness/memory-bucket.ts";
import { memoryRegistry } from "#tests/harness/memory-registry.ts";
import { howToRepeat, isDeep, sweepSeed } from "#tests/harness/sample.ts";
import type { Bucket } from "./bucket.ts";
import { FRAME_BYTES, objectKey } from "./format.ts";
import { openObjectReader, readObject } from "./object-reader.ts";
import { openObjectWriter, writeObject } from "./object-writer.ts";
import type { ObjectKind, ObjectScope, StoredObject } from "./types.ts";
import { VaultError } from "./vault-error.ts";

const MIB = 1_048_576;
const scope = { organisationId: "org_a", itemId: "itm_a" };
const target = { scope, kind: "stream" as const, runId: "run_a" };

function setUp() {
  const bucket = memoryBucket();
  const registry = memoryRegistry();
  const organisationKey = { version: 1, bytes: randomBytes(32) };
  return { bucket, registry, organisationKey, ids: randomIds, clock: { now: () => 0 } };
}

/** Built once. Every pattern is a prefix of it. */
const LONGEST_PATTERN = new Uint8Array(40 * MIB);
for (let i = 0; i < LONGEST_PATTERN.length; i++) LONGEST_PATTERN[i] = (i * 31 + (i >>> 13)) & 255;
const pattern = (length: number): Uint8Array => LONGEST_PATTERN.slice(0, length);

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) {
    expect(chunk.length).toBeLessThanOrEqual(FRAME_BYTES);
    all.push(chunk.slice());
  }
  return Buffer.concat(all);
}

test("objects of every edge-case size are read back byte for byte, with hash and checksum", async () => {
  const deps = setUp();
  for (const size of [0, 1, MIB - 1, MIB, MIB + 1, 8 * MIB, 8 * MIB + 5, 17 * MIB + 3, 33 * MIB]) {
    const plain = pattern(size);
    const object = await writeObject(deps, target, plain);
    expect(object.hash).toBe(createHash("sha256").update(plain).digest("hex"));
    expect(object.crc32).toBe(crc32(plain));
    expect(deps.bucket.objects.get(object.key)!.length).toBe(object.storedBytes);
    expect(deps.registry.stored.get(object.id)).toEqual(object);
    const read = await readObject(deps, { scope, ...object });
    expect(Buffer.compare(read, plain)).toBe(0);
  }
  expect(deps.bucket.openUploads()).toBe(0);
});

test("an object without bytes yields no chunk", async () => {
  const deps = setUp();
  const object = await writeObject(deps, target, pattern(0));
  const chunks: Uint8Array[] = [];
  for await (const chunk of openObjectReader(deps, { scope, ...object }).read()) chunks.push(chunk);
  expect(chunks).toEqual([]);
});

test("the way bytes are cut into writes leaves no trace", async () => {
  const plain = pattern(3 * MIB + 77);
  const whole = createHash("sha256").update(plain).digest("hex");
  const cut = fc.oneof(fc.nat(plain.length), fc.constantFrom(MIB - 1, MIB, MIB + 1, 2 * MIB, 3 * MIB));
  await fc.assert(
    fc.asyncProperty(fc.array(cut, { maxLength: 12 }), async (cuts) => {
      const deps = setUp();
      const writer = await openObjectWriter(deps, target);
      let from = 0;
      for (const to of [...cuts.sort((a, b) => a - b), plain.length]) {
        await writer.write(plain.subarray(from, to));
        from = to;
      }
      const object = await writer.close();
      expect(object).toMatchObject({ hash: whole, sizeBytes: plain.length });
      expect(Buffer.compare(await readObject(deps, { scope, ...object }), plain)).toBe(0);
    }),
    { numRuns: 25 },
  );
});

test("any range equals the slice of the whole, with and without a known size", async () => {
  const deps = setUp();
  const plain = pattern(19 * MIB + 3);
  const object = await writeObject(deps, target, plain);
  const known = openObjectReader(deps, { scope, ...object });
  const point = fc.oneof(fc.nat(plain.length), fc.constantFrom(0, MIB - 1, MIB, MIB + 1, 16 * MIB, 17 * MIB));
  await fc.assert(
    fc.asyncProperty(point, point, fc.boolean(), async (a, b, isKnown) => {
      const [from, to] = a < b ? [a, b] : [b, a];
      const reader = isKnown ? known : openObjectReader(deps, { scope, id: object.id, kind: "stream" });
      const read = await collect(reader.read({ offset: from, length: to - from }));
      expect(Buffer.compare(read, plain.subarray(from, to))).toBe(0);
    }),
    { numRuns: 25 },
  );
  await expect(collect(known.read({ offset: plain.length, length: 1 }))).rejects.toThrow("lies outside");
});

test("a reader that stops early leaves nothing open, and piping gives the same bytes", async () => {
  const deps = setUp();
  const plain = pattern(40 * MIB);
  const object = await writeObject(deps, target, plain);
  const reader = openObjectReader(deps, { scope, ...object });
  for await (const chunk of reader.read()) {
    expect(chunk.length).toBe(MIB);
    break;
  }
  const hash = createHash("sha256");
  await reader.pipeTo(new WritableStream({ write: (chunk) => void hash.update(chunk) }));
  expect(hash.digest("hex")).toBe(object.hash);
});

test("a chunk is reused when the next one is requested, and stays with a reader that stops", async () => {
  const deps = setUp();
  const plain = pattern(3 * MIB + 5);
  const object = await writeObject(deps, target, plain);
  const reader = openObjectReader(deps, { scope, ...object });
  const chunks = reader.read()[Symbol.asyncIterator]();
  const first: Uint8Array = (await chunks.next()).value;
  expect(first.length).toBe(MIB);
  const second: Uint8Array = (await chunks.next()).value;
  expect(first.length).toBe(0);
  expect(Buffer.compare(second, plain.subarray(MIB, 2 * MIB))).toBe(0);
  await chunks.return?.();
  expect(Buffer.compare(second, plain.subarray(MIB, 2 * MIB))).toBe(0);

  const kept: Uint8Array[] = [];
  for await (const frame of reader.readFrames(0, 4)) kept.push(frame);
  expect(Buffer.compare(Buffer.concat(kept), plain)).toBe(0);
});

/** Damages stored bytes in whole frames. The result always differs from the input. */
function damage(stored: Uint8Array, dice: number[]): Uint8Array {
  const [way, a, b] = dice as [number, number, number];
  const frames = Math.ceil((stored.length - 72) / (FRAME_BYTES + 16));
  const frame = (i: number) => {
    const start = 72 + i * (FRAME_BYTES + 16);
    return stored.subarray(start, Math.min(start + FRAME_BYTES + 16, stored.length));
  };
  if (way < 6 || frames < 2) {
    const flipped = stored.slice();
    flipped[a % stored.length]! ^= 1 << (b % 8);
    return flipped;
  }
  if (way < 8) return stored.slice(0, a % stored.length);
  const order = Array.from({ length: frames }, (_, i) => i);
  const [i, j] = [a % frames, b % frames];
  if (way === 8) order.splice(i, 1);
  else if (way === 9) order.splice(j, 0, i);
  else [order[i], order[(i + 1) % frames]] = [order[(i + 1) % frames]!, order[i]!];
  return Buffer.concat([stored.subarray(0, 72), ...order.map(frame)]);
}

test("flipped, cut, moved, dropped and repeated frames are all detected", {
  timeout: 120_000,
}, async () => {
  const deps = setUp();
  const small = await writeObject(deps, target, pattern(300));
  const large = await writeObject(deps, target, pattern(2 * MIB + 9));
  const exact = await writeObject(deps, target, pattern(2 * MIB));
  const originals = new Map(deps.bucket.objects);
  const [ofSmall, ofLarge] = isDeep() ? [9_400, 600] : [2_400, 100];
  const silent: string[] = [];
  const tryOne = async (object: StoredObject, dice: number[], isSizeKnown: boolean) => {
    const stored = damage(originals.get(object.key)!, dice);
    deps.bucket.objects.set(object.key, stored);
    const { id, kind, sizeBytes } = object;
    const source = isSizeKnown ? { scope, id, kind, sizeBytes } : { scope, id, kind };
    const outcome = await collect(openObjectReader(deps, source).read()).catch((cause: unknown) => cause);
    if (!(outcome instanceof VaultError)) silent.push(`${JSON.stringify(dice)} (${howToRepeat()})`);
    deps.bucket.objects.set(object.key, originals.get(object.key)!);
  };
  const noise = createNoise(sweepSeed());
  const random = () => Array.from({ length: 3 }, () => Math.floor(noise() * 2 ** 32));
  for (let i = 0; i < ofSmall; i++) {
    const [way, a, b] = random() as [number, number, number];
    if (way % 8 === 0) await tryOne(small, [6, a, b], i % 2 === 0);
    else await tryOne(small, [0, a, b], i % 2 === 0);
  }
  for (let i = 0; i < ofLarge; i++) {
    const [way, a, b] = random() as [number, number, number];
    await tryOne(i % 3 === 0 ? exact : large, [way % 11, a, b], i % 2 === 0);
  }
  expect(silent).toEqual([]);
});

test("an object cut at or next to any frame boundary is detected", async () => {
  const deps = setUp();
  const object = await writeObject(deps, target, pattern(3 * MIB));
  const stored = deps.bucket.objects.get(object.key)!;
  for (let frame = 0; frame <= 3; frame++) {
    for (const by of [-1, 0, 1]) {
      const end = 72 + frame * (FRAME_BYTES + 16) + by;
      if (end >= stored.length) continue;
      deps.bucket.objects.set(object.key, stored.slice(0, end));
      const source = { scope, id: object.id, kind: object.kind };
      await expect(collect(openObjectReader(deps, source).read())).rejects.toBeInstanceOf(VaultError);
    }
  }
});

test("an object opens only under its own organisation, item, id and kind", async () => {
  const deps = setUp();
  const object = await writeObject(deps, target, pattern(500));
  const stored = deps.bucket.objects.get(object.key)!;
  const openAs = (
    as: { scope?: ObjectScope; id?: string; kind?: ObjectKind },
    key = deps.organisationKey,
  ) => {
    const source = { scope, id: object.id, kind: object.kind, ...as };
    deps.bucket.objects.set(objectKey(source.scope, source.id), stored);
    return collect(openObjectReader({ ...deps, organisationKey: key }, source).read());
  };
  const wrongKey = { kind: "wrong-key" };
  await expect(openAs({})).resolves.toHaveLength(500);
  await expect(openAs({ scope: { ...scope, organisationId: "org_b" } })).rejects.toMatchObject(wrongKey);
  await expect(openAs({ scope: { ...scope, itemId: "itm_b" } })).rejects.toMatchObject(wrongKey);
  await expect(openAs({ scope: { organisationId: "org_ai", itemId: "tm_a" } })).rejects.toMatchObject(
    wrongKey,
  );
  await expect(openAs({ id: "obj_other" })).rejects.toMatchObject(wrongKey);
  await expect(openAs({ kind: "pack" })).rejects.toMatchObject(wrongKey);
  await expect(openAs({}, { version: 1, bytes: randomBytes(32) })).rejects.toMatchObject(wrongKey);
  await expect(openAs({}, { ...deps.organisationKey, version: 2 })).rejects.toMatchObject(wrongKey);
  deps.bucket.objects.clear();
  const gone = openObjectReader(deps, { scope, ...object }).read();
  await expect(collect(gone)).rejects.toMatchObject({ kind: "missing" });
});

test("hash and length of an object are checked against the record, the length before the first byte", async () => {
  const deps = setUp();
  const plain = pattern(2 * MIB + 9);
  const object = await writeObject(deps, target, plain);
  const other = await writeObject(deps, target, pattern(2 * MIB + 8));
  const foreign = openObjectReader(deps, { scope, ...object, hash: other.hash });
  await expect(collect(foreign.read())).rejects.toMatchObject({ kind: "tampered" });
  // The first frames of a longer object open, so only its length reveals the damage.
  const stored = deps.bucket.objects.get(object.key)!;
  deps.bucket.objects.set(object.key, Buffer.concat([stored, stored.subarray(0, 40)]));
  const part = openObjectReader(deps, { scope, ...object }).read({ offset: 5, length: 100 });
  await expect(collect(part)).rejects.toMatchObject({ kind: "tampered" });
});

test("an object that the bucket stored with other bytes is not accepted", async () => {
  const deps = setUp();
  const forgetful: Bucket = {
    ...deps.bucket,
    createMultipartUpload: async (key) => {
      const upload = await deps.bucket.createMultipartUpload(key);
      return { ...upload, complete: (parts) => upload.complete(parts.slice(0, -1)) };
    },
  };
  const written = writeObject({ ...deps, bucket: forgetful }, target, pattern(17 * MIB));
  await expect(written).rejects.toMatchObject({ kind: "truncated" });
  expect(deps.bucket.objects.size + deps.registry.reserved.size + deps.registry.stored.size).toBe(0);
});

test("an object is reserved before it is written, and an abort leaves nothing", async () => {
  const deps = setUp();
  deps.bucket.beforeEach = () => expect(deps.registry.reserved.size).toBe(1);
  const writer = await openObjectWriter(deps, target);
  expect(writer.id).toMatch(/^obj_/);
  await writer.write(pattern(20 * MIB));
  await writer.abort();
  expect(deps.bucket.calls.uploadPart).toBe(2);
  expect(deps.bucket.openUploads()).toBe(0);
  expect(deps.bucket.objects.size + deps.registry.reserved.size + deps.registry.stored.size).toBe(0);
});

test("a failing part is sent again, and a lost response to the completion is looked up", async () => {
  const deps = setUp();
  let failures = 2;
  deps.bucket.beforeEach = (operation) => {
    if (operation === "uploadPart" && failures-- > 0)
      throw new Error("We encountered an internal error. (10001)");
  };
  const plain = pattern(17 * MIB);
  const object = await writeObject(deps, target, plain);
  expect(Buffer.compare(await readObject(deps, { scope, ...object }), plain)).toBe(0);

  const lossy: Bucket = {
    ...deps.bucket,
    createMultipartUpload: async (key) => {
      const upload = await deps.bucket.createMultipartUpload(key);
      const complete: typeof upload.complete = async (parts) => {
        await upload.complete(parts);
        throw new Error("Network connection lost.");
      };
      return { ...upload, complete };
    },
  };
  const again = await writeObject({ ...deps, bucket: lossy }, target, plain);
  expect(Buffer.compare(await readObject(deps, { scope, ...again }), plain)).toBe(0);
});

test("an upload with an unknown outcome leaves nothing, even if the object was created", async () => {
  const deps = setUp();
  const blind: Bucket = {
    ...deps.bucket,
    head: async () => {
      throw new Error("Network connection lost.");
    },
    createMultipartUpload: async (key) => {
      const upload = await deps.bucket.createMultipartUpload(key);
      const complete: typeof upload.complete = async (parts) => {
        await upload.complete(parts);
        throw new Error("Network connection lost.");
      };
      return { ...upload, complete };
    },
  };
  const written = writeObject({ ...deps, bucket: blind }, target, pattern(17 * MIB));
  await expect(written).rejects.toThrow("Network connection lost.");
  expect(deps.bucket.calls.complete).toBe(1);
  expect(deps.bucket.objects.size + deps.registry.reserved.size + deps.registry.stored.size).toBe(0);
});

test("a bucket that keeps failing ends the write with its error and removes the reservation", async () => {
  const deps = setUp();
  deps.bucket.beforeEach = (operation) => {
    if (operation === "uploadPart") throw new Error("We encountered an internal error. (10001)");
  };
  await expect(writeObject(deps, target, pattern(30 * MIB))).rejects.toThrow("10001");
  expect(deps.registry.reserved.size).toBe(0);
  expect(deps.bucket.openUploads()).toBe(0);
});

test("a writer's buffers do not grow with the object", { timeout: 120_000 }, async () => {
  /** Accepts parts and keeps nothing, so the test measures only the writer's memory. */
  const sizes = new Map<string, number>();
  const discarding: Bucket = {
    ...memoryBucket(),
    head: async (key) => ({ size: sizes.get(key)!, etag: "" }),
    createMultipartUpload: async (key) => ({
      uploadPart: async (partNumber, bytes) => {
        seen.add(bytes.buffer);
        sizes.set(key, (sizes.get(key) ?? 0) + bytes.length);
        return { partNumber, etag: "" };
      },
      complete: async () => ({ size: sizes.get(key)!, etag: "" }),
      abort: async () => {},
    }),
  };
  const seen = new Set<ArrayBufferLike>();
  const writer = await openObjectWriter({ ...setUp(), bucket: discarding }, target);
  const chunk = pattern(MIB);
  for (let i = 0; i < 512; i++) await writer.write(chunk);
  await writer.close();
  expect(seen.size).toBe(2);
});

test("a range at the start costs one request, even for one byte", async () => {
  const deps = setUp();
  const object = await writeObject(deps, target, pattern(3 * MIB));
  for (const length of [1, 500, FRAME_BYTES]) {
    const gets = deps.bucket.calls.get;
    const read = openObjectReader(deps, { scope, id: object.id, kind: object.kind }).read({
      offset: 0,
      length,
    });
    expect(Buffer.compare(await collect(read), pattern(length))).toBe(0);
    expect(deps.bucket.calls.get - gets).toBe(1);
  }
});

test("an error of the bucket is rethrown; only a range behind the end means a truncated object", async () => {
  const deps = setUp();
  const object = await writeObject(deps, target, pattern(9 * MIB));
  const read = () => collect(openObjectReader(deps, { scope, id: object.id, kind: object.kind }).read());
  deps.bucket.beforeEach = (operation) => {
    if (operation === "get") throw new Error("get: We encountered an internal error (10001)");
  };
  await expect(read()).rejects.toThrow("internal error (10001)");
  deps.bucket.beforeEach = () => {};
  deps.bucket.objects.set(object.key, deps.bucket.objects.get(object.key)!.slice(0, 72));
  await expect(read()).rejects.toBeInstanceOf(VaultError);
});
