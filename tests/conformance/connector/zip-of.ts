import { crc32 } from "node:zlib";
import type { ExportFile } from "#connectors/contract/platform-connector.ts";
import { planZip, zipRange } from "#core/exports/zip/layout.ts";
import { safeNames } from "#core/exports/zip/safe-names.ts";
import type { MemorySnapshot } from "../memory-snapshot.ts";

/** The bytes of one exported file. Null for a folder. */
export async function bytesOf(snapshot: MemorySnapshot, file: ExportFile): Promise<Buffer | null> {
  if (file.source === "directory") return null;
  if (file.source === "bytes") return Buffer.from(file.bytes);
  const chunks: Uint8Array[] = [];
  const source =
    file.source === "entry" ? snapshot.read(file.entry) : snapshot.readCompanion(file.entry, file.name);
  for await (const chunk of source) chunks.push(chunk.slice());
  return Buffer.concat(chunks);
}

/** An unencrypted ZIP of a version, with the product's own rules for names and layout. */
export async function zipOf(snapshot: MemorySnapshot, files: AsyncIterable<ExportFile>): Promise<Uint8Array> {
  const all: { path: string; bytes: Buffer }[] = [];
  for await (const file of files) {
    const bytes = await bytesOf(snapshot, file);
    all.push({ path: file.path, bytes: bytes ?? Buffer.alloc(0) });
  }
  const { names } = await safeNames(all.map(({ path }) => path));
  const entries = all.map(({ bytes }, index) => ({
    ...{ path: names[index] ?? "", method: 0 as const, crc32: crc32(bytes), mtime: Date.UTC(2026, 0, 1) },
    ...{ compressedSize: bytes.length, size: bytes.length },
  }));
  const layout = planZip(entries);
  const parts: Uint8Array[] = [];
  const read = function* (index: number, { offset, length }: { offset: number; length: number }) {
    yield all[index]!.bytes.subarray(offset, offset + length);
  };
  for await (const chunk of zipRange(layout, { from: 0, to: layout.totalBytes }, read))
    parts.push(chunk.slice());
  return Buffer.concat(parts);
}
