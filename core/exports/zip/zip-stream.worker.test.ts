import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { randomBytes } from "#core/kernel/crypto.ts";
import { randomIds } from "#core/kernel/ids.ts";
import { openObjectReader, writeObject } from "#core/vault/index.ts";
import { lend } from "#tests/harness/lend.ts";
import { memoryRegistry } from "#tests/harness/memory-registry.ts";
import { planZip, type ZipEntry, zipRange } from "./layout.ts";
import { zipStream } from "./zip-stream.ts";

const scope = { organisationId: "org_zip", itemId: "itm_a" };

test("an archive streams out of the vault with its exact length, in full or as any range", async () => {
  const organisationKey = { version: 1, bytes: randomBytes(32) };
  const clock = { now: () => 0 };
  const deps = { bucket: env.VAULT_US, registry: memoryRegistry(), organisationKey, ids: randomIds, clock };
  const plain = new Uint8Array(11 * 1_048_576 + 5).map((_, i) => i >>> 9);
  const object = await writeObject(deps, { scope, kind: "stream", runId: "run_a" }, plain);
  const entry: Omit<ZipEntry, "path"> = {
    method: 0,
    crc32: object.crc32,
    compressedSize: object.sizeBytes,
    size: object.sizeBytes,
    mtime: 0,
  };
  const layout = planZip(["one.pack", "two.pack"].map((path) => ({ ...entry, path })));
  const reader = openObjectReader(deps, { scope, ...object });
  const body = (from: number, to: number) =>
    zipStream(
      zipRange(layout, { from, to }, (_, range) => reader.read(range)),
      to - from,
    );
  const whole = new Uint8Array(await new Response(body(0, layout.totalBytes)).arrayBuffer());
  expect(whole.length).toBe(layout.totalBytes);
  for (const end of [layout.offsets[1]!, layout.offsets[2]!]) {
    expect(Buffer.compare(whole.subarray(end - plain.length, end), plain)).toBe(0);
  }
  const from = layout.offsets[1]! - 1_000_000;
  const part = new Uint8Array(await new Response(body(from, from + 3_000_000)).arrayBuffer());
  expect(Buffer.compare(part, whole.subarray(from, from + 3_000_000))).toBe(0);
});

test("a failing source aborts the download instead of ending it", async () => {
  async function* failing() {
    yield new Uint8Array(2_000_000);
    throw new Error("the vault failed");
  }
  await expect(new Response(zipStream(failing(), 4_000_000)).arrayBuffer()).rejects.toThrow();
});

test("a consumer that reads ahead aborts the download, because its chunks were reused", async () => {
  const source = lend(new Uint8Array(3_000_000), [1_000_000]);
  async function* ahead() {
    let held = await source.next();
    while (!held.done) {
      const next = await source.next();
      yield held.value;
      held = next;
    }
  }
  await expect(new Response(zipStream(ahead(), 3_000_000)).arrayBuffer()).rejects.toThrow();
});

test("a client that disconnects ends the source", async () => {
  let isEnded = false;
  async function* endless() {
    try {
      for (;;) yield new Uint8Array(1_048_576);
    } finally {
      isEnded = true;
    }
  }
  const reader = zipStream(endless(), 2 ** 40).getReader();
  await reader.read();
  await reader.cancel();
  await expect.poll(() => isEnded).toBe(true);
});
