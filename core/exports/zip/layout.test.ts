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

const isThere = (tool: string) => spawnSync(tool, ["--help"]).error === undefined;

/** Has every tool that is installed read the archive completely. */
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

test("a library of another author finds the same files in it", async () => {
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

test("a reader that gives too few or too many bytes ends the archive instead of shifting it", async () => {
  const { layout } = archiveOf(someFiles);
  await expect(bytesOf(layout, () => [])).rejects.toThrow("shorter");
  await expect(bytesOf(layout, () => [Buffer.alloc(1_000_000)])).rejects.toThrow("longer");
});

test("an archive of 70,000 files opens everywhere", { timeout: 120_000 }, async (context) => {
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

test("an archive with a file beyond 4 GiB has sizes and offsets in 64 bits", {
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
    // The zeros become a hole, so that the file takes no room on the disk.
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
