import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import type { ObjectFormat } from "../object-format.ts";
import { pointerText } from "../repository/test-versions.ts";
import {
  blob,
  delta,
  entryBytes,
  type ForgedEntry,
  forge,
  namedDelta,
  noise,
  objectEntry,
  replacing,
} from "../test-packs.ts";
import { createPointerScan } from "./pointer-scan.ts";

const KIB = 1024;
const pointer = (digit: string, sizeBytes = 5) => ({ oid: digit.repeat(64), sizeBytes });

async function scan(bytes: Uint8Array, chunkBytes = 64 * KIB, format: ObjectFormat = "sha1") {
  const pointers = createPointerScan(format);
  for (let at = 0; at < bytes.length; at += chunkBytes)
    await pointers.take(bytes.subarray(at, at + chunkBytes));
  return await pointers.finish();
}

/** A delta on the entry before it that makes another text. */
const changed = (base: ForgedEntry, text: string, baseSize = base.size) =>
  delta(replacing(baseSize, Buffer.from(text)), entryBytes(base).length);

test("pointers come in the order of the pack, each once, whatever stands between", async () => {
  const [b, a] = [pointer("b", 7), pointer("a")];
  const entries = [
    objectEntry("commit", pointerText(pointer("c"))),
    blob(pointerText(b)),
    objectEntry("tree", "x"),
    blob("text"),
    blob(pointerText(a)),
    objectEntry("tag", "y"),
    blob(pointerText(b)),
  ];
  for (const format of ["sha1", "sha256"] as const)
    expect(await scan(forge(entries, entries.length, format), 40, format)).toEqual([b, a]);
});

test("a delta on a blob before it is resolved, one by name or on something else is not", async () => {
  const base = blob("some file of a little length");
  const commit = objectEntry("commit", "x".repeat(50));
  const found = pointer("d");
  const text = pointerText(found);
  expect(await scan(forge([base, changed(base, text)]))).toEqual([found]);
  const second = changed(base, "another text as a middle link");
  expect(await scan(forge([base, second, changed(second, text, 29)]))).toEqual([found]);
  expect(await scan(forge([commit, changed(commit, text)]))).toEqual([]);
  expect(await scan(forge([base, namedDelta([28, 1, 1, 65], "1".repeat(40)), blob(text)]))).toEqual([found]);
});

test("blobs up to thirty-two kibibytes are bases, larger ones are not", async () => {
  const found = pointer("e");
  const on = (length: number) => {
    const base = blob("y".repeat(length));
    return scan(forge([base, changed(base, pointerText(found))]));
  };
  expect(await on(32 * KIB)).toEqual([found]);
  expect(await on(32 * KIB + 1)).toEqual([]);
});

test("large entries are passed over, whatever the size of the chunks", async () => {
  const found = pointer("f");
  const entries = [
    blob(noise(200_000)),
    blob(pointerText(found)),
    blob(noise(128 * KIB, 3)),
    blob(pointerText(pointer("1"))),
  ];
  for (const size of [997, 64 * KIB, 1_000_000])
    expect(await scan(forge(entries), size)).toEqual([found, pointer("1")]);
});

test("what is no pack, or a damaged one, gives what was found before", async () => {
  expect(await scan(Buffer.alloc(0))).toEqual([]);
  expect(await scan(Buffer.from("short"))).toEqual([]);
  const found = pointer("2");
  const good = entryBytes(blob(pointerText(found)));
  for (const bad of [
    { ...blob("x"), kind: 5 },
    { ...blob("xyz"), size: 2 },
    { ...blob("xyz"), body: Buffer.alloc(40, 7) },
    { ...blob(noise(3_000)), body: deflateSync(noise(3_000)).subarray(0, 900) },
  ]) {
    const pack = forge([blob(pointerText(found)), bad, blob(pointerText(pointer("3")))]);
    expect(await scan(pack)).toEqual([found]);
  }
  expect(await scan(forge([blob(pointerText(found))]).subarray(0, 12 + good.length))).toEqual([found]);
});

test("after the last object, or after damage, further bytes are taken and dropped at once", async () => {
  const pointers = createPointerScan("sha1");
  await pointers.take(forge([{ ...blob("x"), kind: 5 }]));
  for (let turn = 0; turn < 3; turn++) await pointers.take(Buffer.alloc(100));
  expect(await pointers.finish()).toEqual([]);
});
