import { crc32, deflateRawSync } from "node:zlib";
import { z } from "zod";
import type { ExportFile } from "#connectors/contract/platform-connector.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { fromBase64Url, fromUtf8, toBase64Url, utf8 } from "#core/kernel/crypto.ts";
import {
  readObject,
  type SnapshotReader,
  type StoredObject,
  type VaultDeps,
  type VaultReadDeps,
  writeObject,
} from "#core/vault/index.ts";
import { type EntryReader, planZip, type ZipEntry, type ZipLayout } from "./zip/layout.ts";
import { safeNames } from "./zip/safe-names.ts";

/**
 * The layout of one ZIP as stored in the vault: the files in order, and the source of their bytes. With the manifest it
 * determines every byte of the archive, so any range can be built at any time.
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
const storedSchema = z.object({ version: z.literal(1), mtime: z.number(), files: z.array(fileSchema) });
type StoredLayout = z.infer<typeof storedSchema>;
type StoredFile = z.infer<typeof fileSchema>;

/** Smaller texts are not deflated. */
const WORTH_DEFLATING = 1_024;

/** An opened ZIP: its layout and the source of its bytes. */
export type OpenedZip = { layout: ZipLayout; read: EntryReader };

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
  const files: StoredFile[] = [];
  for await (const file of order.files) files.push(await toStoredFile(view, file));
  const { names } = await safeNames(files.map((file) => file.p));
  const stored: StoredLayout = {
    version: 1,
    mtime: order.mtime,
    files: files.map((file, index) => ({ ...file, p: names[index]! })),
  };
  const scope = { organisationId: order.organisationId, itemId: order.itemId };
  const target = { scope, kind: "layout" as const, runId: order.runId };
  const object = await writeObject(vault, target, utf8(JSON.stringify(stored)));
  return { object, totalBytes: planZip(toEntries(stored)).totalBytes };
}

/** Opens a stored layout over its version. */
export async function openZip(
  vault: VaultReadDeps,
  view: SnapshotReader,
  order: { organisationId: string; itemId: string; object: StoredObject },
): Promise<OpenedZip> {
  const scope = { organisationId: order.organisationId, itemId: order.itemId };
  const { id, kind, sizeBytes, hash } = order.object;
  const bytes = await readObject(vault, { scope, id, kind, sizeBytes, hash });
  const stored = storedSchema.parse(JSON.parse(fromUtf8(bytes)));
  return {
    layout: planZip(toEntries(stored)),
    read: (index, range) => readFile(view, stored.files[index]!, range),
  };
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

function toEntries(stored: StoredLayout): ZipEntry[] {
  return stored.files.map((file) => ({
    path: file.p,
    method: file.m,
    crc32: file.c,
    compressedSize: file.z,
    size: file.s,
    mtime: stored.mtime,
  }));
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
