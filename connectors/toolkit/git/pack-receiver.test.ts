import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { emptyPack } from "./object-format.ts";
import { createPackReceiver } from "./pack-receiver.ts";
import { blob, forge } from "./test-packs.ts";

const PACK = forge([blob("one"), blob("two")]);

/** Receives a pack in pieces; each is flushed. The first byte of a piece belongs to its line. */
async function receive(bytes: Uint8Array, pieceBytes: number, write = async (_: Uint8Array) => {}) {
  const chunks: Buffer[] = [];
  const receiver = createPackReceiver("sha1", {
    async write(chunk) {
      await write(chunk);
      chunks.push(Buffer.from(chunk));
    },
  });
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    receiver.take(Buffer.concat([Buffer.of(1), bytes.subarray(at, at + pieceBytes)]), 1);
    expect(receiver.received()).toBe(Math.min(bytes.length, at + pieceBytes));
    if (at + pieceBytes >= 12) await receiver.flush();
  }
  const pack = await receiver.finish();
  return { pack, bytes: Buffer.concat(chunks) };
}

test("a pack in pieces of any size arrives whole, and its trailer is its name", async () => {
  for (const size of [1, 7, 19, 20, 21, 40, 1_000]) {
    const { pack, bytes } = await receive(PACK, size);
    expect(bytes.equals(PACK)).toBe(true);
    const hash = PACK.subarray(-20).toString("hex");
    expect(pack).toEqual({ objects: 2, bytes: PACK.length, empty: false, hash });
  }
  expect((await receive(emptyPack("sha1"), 100)).pack).toMatchObject({ objects: 0, bytes: 32, empty: true });
});

test("bytes are taken as they are or from a start on, until only one more line fits", () => {
  const receiver = createPackReceiver("sha1", { write: () => undefined });
  const line = new Uint8Array(65_536);
  for (let taken = 1; taken <= 6; taken++) expect(receiver.take(line, 0)).toBe(true);
  expect(receiver.take(line.subarray(0, 65_536), 1)).toBe(true);
  expect(receiver.received()).toBe(7 * 65_536 - 1);
  expect(receiver.take(Uint8Array.of(1), 0)).toBe(false);
  expect(receiver.take(line, 0)).toBe(false);
});

test("one buffer fills while the sink still works on the other, and never more than one write runs", async () => {
  let running = 0;
  let most = 0;
  const release: (() => void)[] = [];
  const receiver = createPackReceiver("sha1", {
    async write(chunk) {
      running += 1;
      most = Math.max(most, running);
      const before = Buffer.from(chunk);
      await new Promise<void>((resolve) => release.push(resolve));
      expect(before.equals(chunk)).toBe(true);
      running -= 1;
    },
  });
  receiver.take(PACK.subarray(0, 30), 0);
  await receiver.flush();
  expect(running).toBe(1);
  receiver.take(PACK.subarray(30), 0);
  const done = receiver.finish();
  await Promise.resolve();
  expect(release).toHaveLength(1);
  release[0]!();
  await expect.poll(() => release.length).toBe(2);
  release[1]!();
  expect((await done).bytes).toBe(PACK.length);
  expect(most).toBe(1);
});

test("without new bytes nothing is written", async () => {
  let writes = 0;
  const receiver = createPackReceiver("sha1", {
    write: () => {
      writes += 1;
    },
  });
  await receiver.flush();
  receiver.take(PACK, 0);
  await receiver.flush();
  await receiver.flush();
  await receiver.finish();
  expect(writes).toBe(1);
});

test("a pack that ends early is cut off, wherever it ends", async () => {
  for (const length of [0, 5, 11]) {
    const receiver = createPackReceiver("sha1", { write: () => undefined });
    receiver.take(PACK.subarray(0, length), 0);
    await expect(receiver.finish()).rejects.toThrow("cut off");
  }
  for (const length of [12, 20, 31])
    await expect(receive(PACK.subarray(0, length), 100)).rejects.toMatchObject({ kind: "unavailable" });
  await expect(receive(PACK.subarray(0, 40), 100)).rejects.toThrow(/own checksum/);
});

test("damage anywhere breaks the checksum, and something else than a pack is refused at once", async () => {
  for (const at of [13, PACK.length - 21, PACK.length - 1]) {
    const bad = Buffer.from(PACK);
    bad[at]! ^= 1;
    await expect(receive(bad, 7)).rejects.toMatchObject({
      kind: "malformed",
      message: "The pack from the git server does not match its own checksum.",
    });
  }
  const sealed = (head: string) => {
    const body = Buffer.concat([Buffer.from(head, "latin1"), Buffer.alloc(8)]);
    return Buffer.concat([body, createHash("sha1").update(body).digest()]);
  };
  await expect(receive(sealed("PACK\0\0\0\x03"), 100)).resolves.toMatchObject({ pack: { objects: 0 } });
  for (const head of ["PACK\0\0\0\x01", "PACK\0\0\0\x04", "PICK\0\0\0\x02"])
    await expect(receive(sealed(head), 100)).rejects.toThrow("is no pack");
});

test("a sink that fails fails the pack", async () => {
  const failing = async () => Promise.reject(new Error("no space"));
  await expect(receive(PACK, 100, failing)).rejects.toThrow("no space");
});
