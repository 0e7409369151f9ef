import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import { z } from "zod";
import type { ExportFile } from "#connectors/contract/platform-connector.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { fromBase64Url, fromUtf8, toBase64Url, utf8 } from "#core/kernel/crypto.ts";
import {
  type ByteRange,
  type ObjectReader,
  type ObjectWriter,
  openObjectReader,
  openObjectWriter,
  readObject,
  type SnapshotReader,
  type StoredObject,
  type VaultDeps,
  type VaultReadDeps,
} from "#core/vault/index.ts";
import { countZip, type EntryReader, partAt, planZip, type ZipEntry, type ZipPlan } from "./zip/layout.ts";
import { openNames } from "./zip/safe-names.ts";

/**
 * The layout of one ZIP as stored in the vault: the files in order, and the source of their bytes. With the manifest it
 * determines every byte of the archive, so any range can be built at any time. A version may have a million files, so
 * they are stored in sections, each deflated JSON, then a directory of the sections, then where it begins. Only one or
 * two sections are in memory, when a layout is written and when it is read.
 */
const fileSchema = z.object({
  /** Name in the archive. */
  p: z.string(),
  /** ZIP method. */
  m: z.union([z.literal(0), z.literal(8)]),
  /** CRC-32. */
  c: z.number(),
  /** Compressed size. */
  z: z.number(),
  /** Uncompressed size. */
  s: z.number(),
  /** The snapshot's entry with the bytes. */
  e: z.string().optional(),
  /** Name of the entry's companion, if the bytes are a companion's. */
  n: z.string().optional(),
  /** Bytes stored in the layout itself, as in the archive, base 64. */
  b: z.string().optional(),
});
const sectionSchema = z.array(fileSchema);
type StoredFile = z.infer<typeof fileSchema>;

const directorySchema = z.object({
  version: z.literal(2),
  mtime: z.number(),
  count: z.number(),
  centralStart: z.number(),
  centralEnd: z.number(),
  totalBytes: z.number(),
  /** For each section: its place in the object, its first file, and where the headers of that begin in the archive. */
  sections: z.array(z.tuple([z.number(), z.number(), z.number(), z.number(), z.number()])),
});
type Directory = z.infer<typeof directorySchema>;

/** The end of the object: a mark of this form, and the length of the directory before it. */
const END_MARK = "HFZL2";
const END_BYTES = 16;

/** The form of earlier releases: one JSON text with all files. */
const wholeSchema = z.object({ version: z.literal(1), mtime: z.number(), files: sectionSchema });

/** A section ends when it has so many files, or so many characters of JSON. */
const FILES_PER_SECTION = 1_000;
const SECTION_LENGTH = 512 * 1024;
const CACHED_SECTIONS = 2;

/** Smaller texts are not deflated. */
const WORTH_DEFLATING = 1_024;

/** An opened ZIP: its layout and the source of its bytes. */
export type OpenedZip = { layout: ZipPlan; read: EntryReader };

/** Plans the layout of a version's files and stores it. @throws AppError when a file is not in the version */
export async function storeLayout(
  vault: VaultDeps,
  view: SnapshotReader,
  order: {
    organisationId: string;
    itemId: string;
    runId: string;
    mtime: number;
    files: AsyncIterable<ExportFile>;
  },
): Promise<{ object: StoredObject; totalBytes: number }> {
  const { organisationId, itemId, runId } = order;
  const writer = await openObjectWriter(vault, { scope: { organisationId, itemId }, kind: "layout", runId });
  try {
    const directory = await writeSections(writer, view, order);
    const bytes = packed(directory);
    await writer.write(bytes);
    await writer.write(utf8(END_MARK + String(bytes.length).padStart(END_BYTES - END_MARK.length, "0")));
    return { object: await writer.close(), totalBytes: directory.totalBytes };
  } catch (cause) {
    // An object that cannot be removed now stays reserved, and prune finds it. Report the first error.
    await writer.abort().catch(() => {});
    throw cause;
  }
}

async function writeSections(
  writer: ObjectWriter,
  view: SnapshotReader,
  { files, mtime }: { files: AsyncIterable<ExportFile>; mtime: number },
): Promise<Directory> {
  const nameOf = openNames();
  const counter = countZip();
  const sections: Directory["sections"] = [];
  let waiting: StoredFile[] = [];
  let [length, count, at] = [0, 0, 0];
  let place = { offset: 0, centralOffset: 0 };
  const write = async () => {
    const bytes = packed(waiting);
    sections.push([at, bytes.length, count - waiting.length, place.offset, place.centralOffset]);
    at += bytes.length;
    [waiting, length] = [[], 0];
    await writer.write(bytes);
  };
  for await (const file of files) {
    const plain = await toStoredFile(view, file);
    const stored = { ...plain, p: await nameOf(plain.p) };
    const found = counter.add(toEntry(stored, mtime));
    if (waiting.length === 0) place = found;
    waiting.push(stored);
    count += 1;
    length += JSON.stringify(stored).length;
    if (waiting.length === FILES_PER_SECTION || length >= SECTION_LENGTH) await write();
  }
  if (waiting.length > 0) await write();
  return { version: 2, mtime, ...counter.end(), sections };
}

/** Opens a stored layout over its version. Sections are read when they are needed. */
export async function openZip(
  vault: VaultReadDeps,
  view: SnapshotReader,
  order: { organisationId: string; itemId: string; object: StoredObject },
): Promise<OpenedZip> {
  const scope = { organisationId: order.organisationId, itemId: order.itemId };
  const { id, kind, sizeBytes, hash } = order.object;
  const source = { scope, id, kind, sizeBytes, hash };
  const object = openObjectReader(vault, source);
  const directory = await readDirectory(object, sizeBytes);
  if (directory === null) return wholeZip(view, await readObject(vault, source));
  const { mtime, sections, version: _, ...plan } = directory;
  const parts = sections.map(([, , first, offset, central]) => ({
    ...{ first, offset },
    centralOffset: directory.centralStart + central,
  }));
  const recent = new Map<number, Promise<StoredFile[]>>();
  const filesOf = async (part: number): Promise<StoredFile[]> => {
    const [offset, length] = sections[part]!;
    const known = recent.get(part) ?? readPacked(object, { offset, length }).then(sectionSchema.parse);
    recent.delete(part);
    recent.set(part, known);
    if (recent.size > CACHED_SECTIONS) recent.delete(recent.keys().next().value!);
    try {
      return await known;
    } catch (cause) {
      recent.delete(part);
      throw cause;
    }
  };
  return {
    layout: {
      ...plan,
      parts,
      entriesOf: async (part) => (await filesOf(part)).map((file) => toEntry(file, mtime)),
    },
    async *read(index, range) {
      const part = partAt(parts, ({ first }) => first, index);
      const files = await filesOf(part);
      yield* readFile(view, files[index - parts[part]!.first]!, range);
    },
  };
}

/** Null = the object has the form of earlier releases. */
async function readDirectory(object: ObjectReader, sizeBytes: number): Promise<Directory | null> {
  if (sizeBytes < END_BYTES) return null;
  const end = fromUtf8(await readRange(object, { offset: sizeBytes - END_BYTES, length: END_BYTES }));
  if (!end.startsWith(END_MARK)) return null;
  const length = Number(end.slice(END_MARK.length));
  const offset = sizeBytes - END_BYTES - length;
  return directorySchema.parse(await readPacked(object, { offset, length }));
}

function wholeZip(view: SnapshotReader, bytes: Uint8Array): OpenedZip {
  const { files, mtime } = wholeSchema.parse(JSON.parse(fromUtf8(bytes)));
  return {
    layout: planZip(files.map((file) => toEntry(file, mtime))),
    read: (index, range) => readFile(view, files[index]!, range),
  };
}

function packed(value: unknown): Uint8Array {
  return deflateRawSync(utf8(JSON.stringify(value)));
}

async function readPacked(object: ObjectReader, range: ByteRange): Promise<unknown> {
  return JSON.parse(fromUtf8(inflateRawSync(await readRange(object, range))));
}

async function readRange(object: ObjectReader, range: ByteRange): Promise<Uint8Array> {
  const bytes = new Uint8Array(range.length);
  let offset = 0;
  for await (const chunk of object.read(range)) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

async function toStoredFile(view: SnapshotReader, file: ExportFile): Promise<StoredFile> {
  switch (file.source) {
    case "directory":
      return { p: file.path.endsWith("/") ? file.path : `${file.path}/`, m: 0, c: 0, z: 0, s: 0, b: "" };
    case "bytes":
      return ownBytes(file.path, file.bytes);
    case "entry": {
      const entry = await view.locate(file.entry);
      if (!entry) throw missing(file.entry);
      const { method, length } = entry.where;
      return {
        p: file.path,
        m: method,
        c: entry.crc32,
        z: method === 8 ? length : entry.sizeBytes,
        s: entry.sizeBytes,
        e: file.entry,
      };
    }
    case "companion": {
      const companion = await view.findCompanion(file.entry, file.name);
      if (!companion) throw missing(`${file.name} of ${file.entry}`);
      const { crc32: crc, sizeBytes } = companion;
      return { p: file.path, m: 0, c: crc, z: sizeBytes, s: sizeBytes, e: file.entry, n: file.name };
    }
    default:
      return file satisfies never;
  }
}

/** Bytes stored in the layout itself, deflated if that makes them smaller: texts shrink to a fifth. */
function ownBytes(path: string, bytes: Uint8Array): StoredFile {
  const deflated = bytes.length < WORTH_DEFLATING ? bytes : deflateRawSync(bytes);
  const isSmaller = deflated.length < bytes.length;
  const stored = isSmaller ? deflated : bytes;
  const sizes = { z: stored.length, s: bytes.length };
  return { p: path, m: isSmaller ? 8 : 0, c: crc32(bytes), ...sizes, b: toBase64Url(stored) };
}

const missing = (what: string) =>
  new AppError("err.snapshot.not.restorable", {
    message: `This version lacks ${what} and cannot be downloaded.`,
  });

function toEntry(file: StoredFile, mtime: number): ZipEntry {
  return { path: file.p, method: file.m, crc32: file.c, compressedSize: file.z, size: file.s, mtime };
}

async function* readFile(
  view: SnapshotReader,
  file: StoredFile,
  range: { offset: number; length: number },
): AsyncGenerator<Uint8Array, void> {
  if (file.b !== undefined) {
    yield fromBase64Url(file.b).subarray(range.offset, range.offset + range.length);
    return;
  }
  // A whole file is read without a range, so that its hash is checked at the end.
  const part = range.offset === 0 && range.length === file.z ? undefined : range;
  if (file.n !== undefined) {
    yield* view.readCompanion(file.e!, file.n, part);
    return;
  }
  const entry = await view.locate(file.e!);
  if (!entry) throw missing(file.e!);
  yield* view.readStored(entry, part);
}
