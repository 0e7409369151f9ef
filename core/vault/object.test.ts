import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { expect, test } from "vitest";
import { randomBytes } from "#core/kernel/crypto.ts";
import { randomIds } from "#core/kernel/ids.ts";
import { memoryBucket } from "#tests/harness/memory-bucket.ts";
import { memoryRegistry } from "#tests/harness/memory-registry.ts";
import { openObjectReader, readObject } from "./object-reader.ts";
import { openObjectWriter, writeObject } from "./object-writer.ts";

const MIB = 1_048_576;
const scope = { organisationId: "org_a", itemId: "itm_a" };
const target = { scope, kind: "stream" as const, runId: "run_a" };

function setUp() {
  const bucket = memoryBucket();
  const registry = memoryRegistry();
  const organisationKey = { version: 1, bytes: randomBytes(32) };
  return { bucket, registry, organisationKey, ids: randomIds, clock: { now: () => 0 } };
}

function pattern(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) bytes[i] = (i * 31 + (i >>> 13)) & 255;
  return bytes;
}

test("objects of every awkward size come back byte for byte, with their hash and checksum", async () => {
  const deps = setUp();
  for (const size of [0, 1, MIB - 1, MIB, MIB + 1, 8 * MIB, 8 * MIB + 5, 17 * MIB + 3, 33 * MIB]) {
    const plain = pattern(size);
    const object = await writeObject(deps, target, plain);
    expect(object.hash).toBe(createHash("sha256").update(plain).digest("hex"));
    expect(object.crc32).toBe(crc32(plain));
    expect(deps.bucket.objects.get(object.key)!.length).toBe(object.storedBytes);
    const read = await readObject(deps, { scope, ...object });
    expect(Buffer.compare(read, plain)).toBe(0);
  }
  expect(deps.bucket.openUploads()).toBe(0);
});
