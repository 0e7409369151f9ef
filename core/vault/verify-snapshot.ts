import { z } from "zod";
import { UnreadableCursorError } from "#core/kernel/stored-json.ts";
import { openManifest } from "./manifest-reader.ts";
import { openObjectReader, readObject } from "./object-reader.ts";
import { decodePackIndex, openBlob } from "./record-pack.ts";
import type { ManifestEntry, ManifestRef, ObjectScope } from "./types.ts";
import type { VaultReadDeps } from "./vault-deps.ts";
import { VaultError } from "./vault-error.ts";

/** Blobs whose hashes are remembered before the manifest is compared with them. */
const MAX_BLOBS_PER_GROUP = 100_000;

/** Number of objects that are already checked. */
export const verifyCursorSchema = z.strictObject({ object: z.int().nonnegative() });
export type VerifyCursor = z.output<typeof verifyCursorSchema>;

/** What checking yields. */
export type VerifyEvent =
  | { type: "progress"; done: number; total: number; bytesRead: number }
  /** A sentence for people; `path` is the entry, or the object when no single entry is concerned. */
  | { type: "problem"; path: string; message: string }
  /** A later slice may go on from here. */
  | { type: "checkpoint"; cursor: VerifyCursor };

/**
 * Reads every object of a manifest once, one after the other: every frame is authenticated, every stream and every
 * blob of every pack is hashed, and every entry is found where the manifest says it is. Damage is reported and the
 * check goes on; only a manifest that cannot be opened at all throws.
 * @throws VaultError, UnreadableCursorError when there is no object where it should go on
 */
export async function* verifySnapshot(
  deps: VaultReadDeps,
  {
    scope,
    manifest: ref,
    cursor,
  }: { scope: ObjectScope; manifest: ManifestRef; cursor: VerifyCursor | null },
): AsyncGenerator<VerifyEvent, void> {
  const manifest = await openManifest(deps, { scope, ref });
  const streams = new Map<string, ManifestEntry>();
  const listed = new Set(ref.objects);
  for await (const entry of manifest.entries()) {
    if (entry.type === "stream") {
      const other = streams.get(entry.where.object);
      // One object has one hash: of two entries that tell it apart, one gets bytes that are not its own.
      if (other && (other.hash !== entry.hash || other.sizeBytes !== entry.sizeBytes)) {
        const message = `${entry.path} and ${other.path} tell different hashes of the same bytes.`;
        yield { type: "problem", path: entry.path, message };
      }
      streams.set(entry.where.object, entry);
    }
    if (listed.has(entry.where.object)) continue;
    const message = `The object of ${entry.path} is not listed as needed by this version.`;
    yield { type: "problem", path: entry.path, message };
  }
  const objects = [...ref.objects].sort();
  const total = objects.length;
  if (cursor && cursor.object > total)
    throw new UnreadableCursorError("A check cannot go on behind the last object");
  let bytesRead = 0;
  /** Checked blobs of the packs of this group, by place. */
  let group = { packs: new Set<string>(), blobs: new Map<string, string>() };

  async function* compareGroup(done: number): AsyncGenerator<VerifyEvent, void> {
    if (group.packs.size > 0) {
      for await (const entry of manifest.entries()) {
        if (entry.type !== "record" || !group.packs.has(entry.where.object)) continue;
        if (group.blobs.get(placeOf(entry.where)) === entry.hash) continue;
        const message = `The record ${entry.path} is not intact in the vault.`;
        yield { type: "problem", path: entry.path, message };
      }
      group = { packs: new Set(), blobs: new Map() };
    }
    yield { type: "checkpoint", cursor: { object: done } };
  }

  for (let i = cursor?.object ?? 0; i < total; i++) {
    const id = objects[i]!;
    const stream = streams.get(id);
    try {
      if (stream) bytesRead += await checkStream(deps, { scope, entry: stream });
      else bytesRead += await checkPack(deps, { scope, id, ...group });
    } catch (cause) {
      if (!(cause instanceof VaultError)) throw cause;
      yield { type: "problem", path: stream?.path ?? id, message: `${cause.message}.` };
    }
    yield { type: "progress", done: i + 1, total, bytesRead };
    const isFull = group.blobs.size >= MAX_BLOBS_PER_GROUP;
    if (stream ? group.packs.size === 0 : isFull) yield* compareGroup(i + 1);
  }
  yield* compareGroup(total);
}

async function checkStream(
  deps: VaultReadDeps,
  { scope, entry }: { scope: ObjectScope; entry: ManifestEntry },
) {
  const { hash, sizeBytes, where } = entry;
  const reader = openObjectReader(deps, { scope, id: where.object, kind: "stream", sizeBytes, hash });
  for await (const chunk of reader.read()) void chunk;
  return sizeBytes;
}

async function checkPack(
  deps: VaultReadDeps,
  order: { scope: ObjectScope; id: string; packs: Set<string>; blobs: Map<string, string> },
): Promise<number> {
  const { scope, id } = order;
  order.packs.add(id);
  const pack = await readObject(deps, { scope, id, kind: "pack" });
  for (const row of decodePackIndex(pack)) {
    const stored = pack.subarray(row.offset, row.offset + row.length);
    const { method } = row;
    try {
      openBlob(stored, { method, hash: row.hash, name: `${id}+${row.offset}` });
    } catch (cause) {
      // A record that is missing here is reported with its path when the manifest is compared.
      if (cause instanceof VaultError && row.type === "record") continue;
      throw cause;
    }
    order.blobs.set(placeOf({ object: id, offset: row.offset, length: row.length, method }), row.hash);
  }
  return pack.length;
}

function placeOf({ object, offset, length, method }: ManifestEntry["where"]): string {
  return `${object}+${offset}+${length}+${method}`;
}
