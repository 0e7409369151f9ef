import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { unzipSync } from "fflate";
import { afterAll, expect, test } from "vitest";
import { type EntryReader, planZip, type ZipEntry, type ZipLayout, zipRange } from "./layout.ts";

const folder = mkdtempSync(join(tmpdir(), "holdfast-zip-"));
afterAll(() => rmSync(folder, { recursive: true }));

const mtime = Date.UTC(2026, 4, 17, 13, 45, 58);

type File = { path: string; plain: Uint8Array; isDeflated: boolean };

function archiveOf(files: readonly File[]): { layout: ZipLayout; readEntry: EntryReader } {
  const stored = files.map(({ plain, isDeflated }) => (isDeflated ? deflateRawSync(plain) : plain));
  const entries = files.map(({ path, plain, isDeflated }, i): ZipEntry => {
    const method = isDeflated ? 8 : 0;
    return {
      path,
      method,
      crc32: crc32(plain),
      compressedSize: stored[i]!.length,
      size: plain.length,
      mtime,
    };
  });
  const readEntry: EntryReader = (i, { offset, length }) => [stored[i]!.subarray(offset, offset + length)];
  return { layout: planZip(entries), readEntry };
}

async function bytesOf(layout: ZipLayout, readEntry: EntryReader, from = 0, to = layout.totalBytes) {
  const chunks: Uint8Array[] = [];
  for await (const chunk of zipRange(layout, { from, to }, readEntry)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const known = new Map<string, boolean>();
function isThere(tool: string): boolean {
  const before = known.get(tool);
  if (before !== undefined) return before;
  const isFound = spawnSync(tool, ["--help"]).error === undefined;
  known.set(tool, isFound);
  return isFound;
}

/** Makes every installed tool read the whole archive. */
function assertTools(path: string, context: { skip: (note: string) => void }): string[] {
  const checks: [string, string[]][] = [
    ["unzip", ["-tqq", path]],
    [
      "python3",
      ["-c", "import sys,zipfile; sys.exit(zipfile.ZipFile(sys.argv[1]).testzip() is not None)", path],
    ],
    ["bsdtar", ["-xOf", path]],
  ];
  const present = checks.filter(([tool]) => isThere(tool));
  if (present.length === 0) context.skip("neither unzip nor python3 nor bsdtar is installed");
  for (const [tool, args] of present) {
    const { status, stderr } = spawnSync(tool, args, { maxBuffer: 2 ** 28 });
    expect(`${tool} ${status} ${stderr}`).toBe(`${tool} 0 `);
  }
  return present.map(([tool]) => tool);
}

const someFiles: File[] = [
  { path: "README.md", plain: Buffer.from("# Hello\n".repeat(50)), isDeflated: true },
  { path: "objects/", plain: new Uint8Array(0), isDeflated: false },
  { path: "objects/pack/grün-\u{1f600}.pack", plain: Buffer.alloc(100_000, 7), isDeflated: false },
  { path: "empty", plain: new Uint8Array(0), isDeflated: false },
];

test("unzip, Python and bsdtar open an archive of stored, deflated and empty files", async (context) => {
  const { layout, readEntry } = archiveOf(someFiles);
  const bytes = await bytesOf(layout, readEntry);
  expect(bytes.length).toBe(layout.totalBytes);
  const path = join(folder, "some.zip");
  writeFileSync(path, bytes);
  assertTools(path, context);
});

test("an independent library finds the same files", async () => {
  const { layout, readEntry } = archiveOf(someFiles);
  const found = unzipSync(await bytesOf(layout, readEntry));
  expect(Object.keys(found)).toEqual(someFiles.map(({ path }) => path));
  for (const { path, plain } of someFiles) expect(Buffer.compare(found[path]!, plain)).toBe(0);
});

test("Python reads back names, times, modes and contents", async (context) => {
  if (!isThere("python3")) return context.skip("python3 is not installed");
  const { layout, readEntry } = archiveOf(someFiles);
  const path = join(folder, "facts.zip");
  writeFileSync(path, await bytesOf(layout, readEntry));
  const program = `
import json, sys, zipfile, zlib
archive = zipfile.ZipFile(sys.argv[1])
print(json.dumps([[i.filename, list(i.date_time), oct(i.external_attr >> 16), i.is_dir(), zlib.crc32(archive.read(i))] for i in archive.infolist()]))`;
  const facts = JSON.parse(execFileSync("python3", ["-c", program, path]).toString()) as unknown;
  const time = [2026, 5, 17, 13, 45, 58];
  const expected = someFiles.map(({ path: name, plain }) => {
    const isDirectory = name.endsWith("/");
    return [name, time, isDirectory ? "0o40755" : "0o100644", isDirectory, crc32(plain)];
  });
  expect(facts).toEqual(expected);
});

test("every range equals the slice of the whole archive", async () => {
  const { layout, readEntry } = archiveOf(
    someFiles.map((file) => ({ ...file, plain: file.plain.subarray(0, 90) })),
  );
  const whole = await bytesOf(layout, readEntry);
  for (let from = 0; from <= whole.length; from++) {
    const to = Math.min(whole.length, from + ((from * 37) % 200));
    expect(Buffer.compare(await bytesOf(layout, readEntry, from, to), whole.subarray(from, to))).toBe(0);
  }
  const point = fc.nat(whole.length);
  await fc.assert(
    fc.asyncProperty(point, point, async (a, b) => {
      const [from, to] = a < b ? [a, b] : [b, a];
      expect(Buffer.compare(await bytesOf(layout, readEntry, from, to), whole.subarray(from, to))).toBe(0);
    }),
    { numRuns: 500 },
  );
});

test("a reader that returns too few or too many bytes fails the archive instead of shifting it", async () => {
  const { layout } = archiveOf(someFiles);
  await expect(bytesOf(layout, () => [])).rejects.toThrow("shorter");
  await expect(bytesOf(layout, () => [Buffer.alloc(1_000_000)])).rejects.toThrow("longer");
});

test("an archive of 70,000 files opens in every tool", { timeout: 120_000 }, async (context) => {
  const plain = Buffer.from("x");
  const files = Array.from({ length: 70_000 }, (_, i) => ({ path: `files/${i}`, plain, isDeflated: false }));
  const { layout, readEntry } = archiveOf(files);
  const path = join(folder, "many.zip");
  writeFileSync(path, await bytesOf(layout, readEntry));
  const tools = assertTools(path, context);
  if (!tools.includes("python3")) return;
  const count = "import sys,zipfile; print(len(zipfile.ZipFile(sys.argv[1]).namelist()))";
  expect(execFileSync("python3", ["-c", count, path]).toString().trim()).toBe("70000");
});

const FULL_16 = 0xffff;
const FULL_32 = 0xffff_ffff;

/** The end records of an archive, with ZIP64 values where they apply. */
type Directory = { count: number; start: number; hasZip64: boolean };

/**
 * Reads the end of an archive strictly by APPNOTE 4.4.1.4: a field that is full refers to the ZIP64 record, which must
 * then exist, and any other value is the number itself. Common tools are more lenient.
 */
async function readStrictly(layout: ZipLayout): Promise<Directory> {
  const directoryAt = layout.offsets[layout.entries.length]!;
  const endAt = layout.centralOffsets[layout.entries.length]!;
  const ends = await bytesOf(layout, () => [], endAt);
  const end = ends.subarray(-22);
  expect(end.readUInt32LE(0)).toBe(0x06054b50);
  const told = { count: end.readUInt16LE(10), size: end.readUInt32LE(12), start: end.readUInt32LE(16) };
  expect(end.readUInt16LE(8)).toBe(told.count);
  const hasZip64 = told.count === FULL_16 || told.size === FULL_32 || told.start === FULL_32;
  expect(ends.length).toBe(hasZip64 ? 56 + 20 + 22 : 22);
  if (hasZip64) {
    const locator = ends.subarray(-42, -22);
    expect(locator.readUInt32LE(0)).toBe(0x07064b50);
    expect(Number(locator.readBigUInt64LE(8))).toBe(endAt);
    expect(ends.readUInt32LE(0)).toBe(0x06064b50);
  }
  const count = told.count === FULL_16 ? Number(ends.readBigUInt64LE(32)) : told.count;
  const size = told.size === FULL_32 ? Number(ends.readBigUInt64LE(40)) : told.size;
  const start = told.start === FULL_32 ? Number(ends.readBigUInt64LE(48)) : told.start;
  expect({ start, size }).toEqual({ start: directoryAt, size: endAt - directoryAt });
  return { count, start, hasZip64 };
}

type Told = { path: string; compressedSize: number; size: number; offset: number; hasZip64: boolean };

/** The central directory's data about each file, read as strictly. */
async function readFiles(layout: ZipLayout): Promise<Told[]> {
  const files: Told[] = [];
  const [from, to] = [layout.offsets, layout.centralOffsets].map((all) => all[layout.entries.length]!);
  const bytes = await bytesOf(layout, () => [], from, to);
  for (let at = 0; at < bytes.length; ) {
    const header = bytes.subarray(at);
    expect(header.readUInt32LE(0)).toBe(0x02014b50);
    const [nameLength, extraLength] = [header.readUInt16LE(28), header.readUInt16LE(30)];
    const large = zip64Numbers(header.subarray(46 + nameLength, 46 + nameLength + extraLength));
    const hasLarge = large.length > 0;
    // In this order, and only values whose own field is full (4.5.3).
    const take = (field: number) => (field === FULL_32 ? large.shift()! : field);
    const size = take(header.readUInt32LE(24));
    const compressedSize = take(header.readUInt32LE(20));
    const offset = take(header.readUInt32LE(42));
    expect(large).toEqual([]);
    const path = header.subarray(46, 46 + nameLength).toString();
    files.push({ path, compressedSize, size, offset, hasZip64: hasLarge });
    at += 46 + nameLength + extraLength;
  }
  return files;
}

/** The values in a header's ZIP64 field, in order. */
function zip64Numbers(extra: Buffer): number[] {
  for (let at = 0; at < extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 0x0001) continue;
    const field = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2));
    return Array.from({ length: field.length / 8 }, (_, i) => Number(field.readBigUInt64LE(8 * i)));
  }
  return [];
}

test("65,535 files need ZIP64: the full 16-bit field is reserved", async (context) => {
  const entry = { method: 0 as const, crc32: 0, compressedSize: 0, size: 0, mtime };
  const layoutOf = (count: number) =>
    planZip(Array.from({ length: count }, (_, i) => ({ ...entry, path: `${i}` })));
  expect(await readStrictly(layoutOf(65_534))).toMatchObject({ count: 65_534, hasZip64: false });
  expect(await readStrictly(layoutOf(65_536))).toMatchObject({ count: 65_536, hasZip64: true });
  const layout = layoutOf(65_535);
  expect(await readStrictly(layout)).toMatchObject({ count: 65_535, hasZip64: true });
  if (!isThere("python3")) return context.skip("python3 is not installed");
  const path = join(folder, "full.zip");
  writeFileSync(path, await bytesOf(layout, () => []));
  const program = "import sys,zipfile; print(len(zipfile.ZipFile(sys.argv[1]).namelist()))";
  expect(execFileSync("python3", ["-c", program, path]).toString().trim()).toBe("65535");
});

test("sizes and offsets of 4 GiB less one need ZIP64; one byte less does not", async (context) => {
  const entry = { method: 0 as const, crc32: 0, mtime };
  const header = planZip([{ ...entry, path: "one", compressedSize: 0, size: 0 }]).offsets[1]!;
  const twice = planZip(["one", "two"].map((path) => ({ ...entry, path, compressedSize: 0, size: 0 })));
  const edges = [FULL_32 - 1, FULL_32, FULL_32 + 1];
  const cases = [
    ...edges.map((edge) => ({ edge, of: "size", sizes: [edge, 5] })),
    ...edges.map((edge) => ({ edge, of: "offset", sizes: [edge - header, 5] })),
    ...edges.map((edge) => ({ edge, of: "start", sizes: [1, edge - twice.offsets[2]! - 1] })),
  ];
  const hollow: { path: string; facts: unknown[] }[] = [];
  for (const { edge, of, sizes } of cases) {
    const layout = planZip(
      sizes.map((size, i) => {
        // Python verifies the checksum of files that it reads whole.
        const checksum = size < 100 ? crc32(new Uint8Array(size)) : 0xdeadbeef;
        return { ...entry, path: ["one", "two"][i]!, crc32: checksum, compressedSize: size, size };
      }),
    );
    const { start, hasZip64 } = await readStrictly(layout);
    const files = await readFiles(layout);
    const [one, two] = files as [Told, Told];
    expect({ size: one.size, offset: two.offset, start }[of]).toBe(edge);
    expect(files.map(({ size }) => size)).toEqual(sizes);
    expect(files.map(({ offset }) => offset)).toEqual([...layout.offsets.subarray(0, 2)]);
    expect(one.hasZip64).toBe(one.size >= FULL_32);
    expect(two.hasZip64).toBe(two.offset >= FULL_32);
    expect(hasZip64).toBe(start >= FULL_32);
    // The local header has both sizes in 64 bits, or neither (4.5.3).
    const local = await bytesOf(layout, () => [], 0, layout.offsets[1]! - one.compressedSize);
    const isLarge = one.size >= FULL_32;
    const field = isLarge ? FULL_32 : one.size;
    expect([local.readUInt32LE(18), local.readUInt32LE(22)]).toEqual([field, field]);
    expect(zip64Numbers(local.subarray(30 + local.readUInt16LE(26)))).toEqual(
      isLarge ? [one.size, one.size] : [],
    );
    const path = join(folder, `edge-${hollow.length}.zip`);
    await writeHollow(path, layout);
    hollow.push({ path, facts: sizes.map((size, i) => [size, layout.offsets[i], "00"]) });
  }
  if (!isThere("python3")) return context.skip("python3 is not installed");
  const program = `
import json, sys, zipfile
def facts(archive):
    return [[i.file_size, i.header_offset, archive.open(i).read(1).hex()] for i in archive.infolist()]
print(json.dumps([facts(zipfile.ZipFile(path)) for path in sys.argv[1:]]))`;
  const paths = hollow.map(({ path }) => path);
  const read = JSON.parse(execFileSync("python3", ["-c", program, ...paths]).toString()) as unknown;
  expect(read).toEqual(hollow.map(({ facts }) => facts));
});

/** Writes an archive with sparse files, which take neither time nor disk space. */
async function writeHollow(path: string, layout: ZipLayout): Promise<void> {
  const file = openSync(path, "w");
  const write = async (from: number, to: number) => {
    const bytes = await bytesOf(layout, () => [], from, to);
    writeSync(file, bytes, 0, bytes.length, from);
  };
  for (const [i, { compressedSize }] of layout.entries.entries())
    await write(layout.offsets[i]!, layout.offsets[i + 1]! - compressedSize);
  await write(layout.offsets[layout.entries.length]!, layout.totalBytes);
  ftruncateSync(file, layout.totalBytes);
  closeSync(file);
}

test("an archive with a file beyond 4 GiB has 64-bit sizes and offsets", {
  timeout: 120_000,
}, async (context) => {
  if (!isThere("python3")) return context.skip("python3 is not installed");
  const zeros = new Uint8Array(8 * 1_048_576);
  const size = 2 ** 32 + 12_345;
  const tail = Buffer.from("behind four gibibytes");
  const entry = { method: 0 as const, mtime };
  const layout = planZip([
    { ...entry, path: "zeros", crc32: 0xdeadbeef, compressedSize: size, size },
    { ...entry, path: "tail", crc32: crc32(tail), compressedSize: tail.length, size: tail.length },
  ]);
  const readEntry: EntryReader = function* (index, { offset, length }) {
    if (index === 1) yield tail.subarray(offset, offset + length);
    else
      for (let rest = length; rest > 0; rest -= zeros.length)
        yield zeros.subarray(0, Math.min(rest, zeros.length));
  };
  const path = join(folder, "large.zip");
  const file = openSync(path, "w");
  let at = 0;
  for await (const chunk of zipRange(layout, { from: 0, to: layout.totalBytes }, readEntry)) {
    // The zeros become a hole, so that the file takes no disk space.
    if (chunk.buffer !== zeros.buffer) writeSync(file, chunk, 0, chunk.length, at);
    at += chunk.length;
  }
  ftruncateSync(file, at);
  closeSync(file);
  expect(at).toBe(layout.totalBytes);
  const program = `
import json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
large, tail = archive.infolist()
print(json.dumps([large.file_size, tail.header_offset, archive.read(tail).decode(), archive.open(large).read(9).hex()]))`;
  const facts = JSON.parse(execFileSync("python3", ["-c", program, path]).toString()) as unknown;
  expect(facts).toEqual([size, layout.offsets[1], tail.toString(), "00".repeat(9)]);
});
