import { expect, test } from "vitest";
import {
  type PackIndexEntries,
  packNames,
  readPackNames,
  sortByName,
  writePackIndex,
} from "./pack-index-file.ts";
import { openPackLookup } from "./pack-lookup.ts";

const name = (at: number) => Math.imul(at + 1, 2_654_435_761) >>> 0;

/** Entries with scattered names, in the order of their offsets. */
function entriesOf(count: number, offsetOf = (at: number) => 12 + at * 100): PackIndexEntries {
  const oids = new Uint8Array(count * 20);
  const view = new DataView(oids.buffer);
  const crcs = new Uint32Array(count);
  const offsets = new Float64Array(count);
  for (let at = 0; at < count; at++) {
    view.setUint32(at * 20, name(at));
    view.setUint32(at * 20 + 4, at % 3);
    view.setUint32(at * 20 + 16, at);
    crcs[at] = name(at) ^ 0xffffffff;
    offsets[at] = offsetOf(at);
  }
  return { objectFormat: "sha1", count, oids, crcs, offsets, packHash: new Uint8Array(20).fill(7) };
}

const oidAt = ({ oids }: PackIndexEntries, at: number) =>
  Buffer.from(oids.subarray(at * 20, at * 20 + 20)).toString("hex");
const idxOf = (entries: PackIndexEntries) => Buffer.concat([...writePackIndex(entries, sortByName(entries))]);
const open = (idx: Uint8Array) =>
  openPackLookup({ size: idx.length, load: async (at, length) => idx.subarray(at, at + length) }, "sha1");

test("twenty thousand objects are found at their offsets, with their checksums, in the order of their names", async () => {
  const entries = entriesOf(20_000, (at) => (at % 2_000 === 0 ? 2 ** 33 + at : 12 + at));
  const idx = idxOf(entries);
  const lookup = await open(idx);
  expect(lookup.count).toBe(20_000);
  const names: string[] = [];
  for await (const oid of lookup.names()) names.push(oid);
  expect(names.join() === names.toSorted().join()).toBe(true);
  const crcsAt = 8 + 1024 + 20_000 * 20;
  for (let at = 0; at < 20_000; at += 1_000) {
    const oid = oidAt(entries, at);
    expect(await lookup.offsetOf(oid)).toBe(entries.offsets[at]);
    expect(idx.readUInt32BE(crcsAt + names.indexOf(oid) * 4)).toBe(entries.crcs[at]);
  }
});

test("names that the pack lacks, or that are none, have no place", async () => {
  const entries = entriesOf(300);
  const lookup = await open(idxOf(entries));
  const known = oidAt(entries, 0);
  for (const oid of ["0".repeat(40), "f".repeat(40), known.toUpperCase(), known.slice(1), `${known}00`, ""])
    expect(await lookup.offsetOf(oid)).toBeNull();
  const near = `${known.slice(0, -1)}${known.endsWith("0") ? "1" : "0"}`;
  expect(await lookup.offsetOf(near)).toBeNull();
  expect(await (await open(idxOf(entriesOf(0)))).offsetOf(known)).toBeNull();
});

test("an index that is damaged where it is read is refused", async () => {
  const idx = idxOf(entriesOf(300, (at) => 2 ** 31 + at));
  const damaged = (change: (bytes: Buffer) => void) => {
    const bad = Buffer.from(idx);
    change(bad);
    return open(bad);
  };
  const malformed = { code: "malformed" };
  await expect(damaged((bad) => bad.fill(0, 0, 1))).rejects.toMatchObject(malformed);
  await expect(damaged((bad) => bad.writeUInt32BE(3, 4))).rejects.toMatchObject(malformed);
  await expect(damaged((bad) => bad.writeUInt32BE(200, 8 + 4 * 5))).rejects.toMatchObject(malformed);
  await expect(damaged((bad) => bad.writeUInt32BE(9_000, 8 + 4 * 255))).rejects.toMatchObject(malformed);
  await expect(open(idx.subarray(0, 1_031))).rejects.toMatchObject(malformed);
  const small = 8 + 1024 + 300 * 28 + 40;
  await expect(open(idx.subarray(0, small - 1))).rejects.toMatchObject(malformed);
  // The table of large offsets begins here; without it each lookup fails.
  const cut = await open(idx.subarray(0, small));
  await expect(cut.offsetOf(oidAt(entriesOf(300), 0))).rejects.toMatchObject(malformed);
});

test("objects of one name are ordered by their offsets", () => {
  const entries = entriesOf(6);
  entries.oids.fill(9);
  entries.offsets.set([50, 10, 40, 30, 20, 60]);
  expect([...sortByName(entries)]).toEqual([1, 4, 3, 2, 0, 5]);
});

test("names are told by their first eight bytes, however the index arrives", async () => {
  const entries = entriesOf(700);
  const idx = idxOf(entries);
  const fresh = packNames(entries, sortByName(entries));
  const readings = [fresh];
  for (const size of [idx.length, 997, 61, 8, 3, 1]) {
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < idx.length; at += size) pieces.push(idx.subarray(at, at + size));
    readings.push(await readPackNames(pieces, "sha1"));
  }
  for (const names of readings) {
    expect([names.count, names.bytes]).toEqual([700, 5_600]);
    for (let at = 0; at < 700; at += 23) {
      expect(names.has(oidAt(entries, at))).toBe(true);
      expect(names.has(entries.oids, at * 20)).toBe(true);
      expect(names.hasPrefix(name(at), at % 3)).toBe(true);
      expect(names.hasPrefix(name(at), (at % 3) + 5)).toBe(false);
      expect(names.hasPrefix(name(at) + 1, at % 3)).toBe(false);
    }
    expect([names.hasPrefix(0, 0), names.hasPrefix(0xffffffff, 0xffffffff)]).toEqual([false, false]);
    expect(names.has(oidAt(entries, 0).slice(0, 16))).toBe(true);
    expect(names.has(oidAt(entries, 0).slice(0, 14))).toBe(false);
    expect(names.has(entries.oids, entries.oids.length - 7)).toBe(false);
  }
});

test("an index whose tables do not fit its count, its order or its checksum is refused", async () => {
  const idx = idxOf(entriesOf(20, (at) => (at === 3 ? 2 ** 33 : 12 + at)));
  const changed = (change: (bytes: Buffer) => void) => {
    const bad = Buffer.from(idx);
    change(bad);
    return readPackNames([bad], "sha1");
  };
  const malformed = { code: "malformed" };
  await expect(readPackNames([idx], "sha1")).resolves.toMatchObject({ count: 20 });
  await expect(changed((bad) => bad.writeUInt32BE(1, 0))).rejects.toMatchObject(malformed);
  await expect(changed((bad) => bad.writeUInt32BE(3, 4))).rejects.toMatchObject(malformed);
  await expect(changed((bad) => bad.writeUInt32BE(19, 8 + 4 * 255))).rejects.toMatchObject(malformed);
  await expect(changed((bad) => bad.writeUInt32BE(21, 8 + 4 * 255))).rejects.toMatchObject(malformed);
  await expect(changed((bad) => bad.writeUInt32BE(0xffffffff, 8 + 4 * 255))).rejects.toMatchObject(malformed);
  await expect(changed((bad) => bad.writeUInt32BE(20, 8))).rejects.toMatchObject(malformed);
  await expect(changed((bad) => bad.writeUInt32BE(5, 1_040))).rejects.toMatchObject({ code: "checksum" });
  await expect(changed((bad) => bad.writeUInt8(bad.at(-1)! ^ 1, bad.length - 1))).rejects.toMatchObject({
    code: "checksum",
  });
  for (const length of [0, 1_031, 1_032, idx.length - 8, idx.length - 1])
    await expect(readPackNames([idx.subarray(0, length)], "sha1")).rejects.toMatchObject(
      length === idx.length - 8 ? { code: "checksum" } : malformed,
    );
});
