import { z } from "zod";
import { UnreadableCursorError } from "#core/kernel/stored-json.ts";
import { openManifest } from "./manifest-reader.ts";
import { openObjectReader, readObject } from "./object-reader.ts";
import { decodePackIndex, openBlob } from "./record-pack.ts";
import type { ListedManifest, ManifestEntry, ObjectScope } from "./types.ts";
import type { VaultReadDeps } from "./vault-deps.ts";
import { VaultError } from "./vault-error.ts";

/** Maximum number of blob hashes in memory before they are compared with the manifest. */
const MAX_BLOBS_PER_GROUP = 100_000;

/** Number of objects already checked. */
export const verifyCursorSchema = z.strictObject({ object: z.int().nonnegative() });
export type VerifyCursor = z.output<typeof verifyCursorSchema>;

/** An event of a check. */
export type VerifyEvent =
  | { type: "progress"; done: number; total: number; bytesRead: number }
  /** `message` is a sentence for people. `path` is the entry, or the object when no single entry is affected. */
  | { type: "problem"; path: string; message: string }
  /** A later slice may continue from here. */
  | { type: "checkpoint"; cursor: VerifyCursor };

/**
 * Reads every object of a manifest once, one after the other. Authenticates every frame, hashes every stream and every
 * blob of every pack, and checks that every entry is where the manifest says. Reports damage and continues; throws only
 * when the manifest cannot be opened.
 * @throws VaultError, UnreadableCursorError when the cursor is past the last object
 */
export async function* verifySnapshot(
  deps: VaultReadDeps,
  {
    scope,
    manifest: ref,
    cursor,
  }: { scope: ObjectScope; manifest: ListedManifest; cursor: VerifyCursor | null },
): AsyncGenerator<VerifyEvent, void> {
  const manifest = await openManifest(deps, { scope, ref });
  const streams = new Map<string, ManifestEntry>();
  const listed = new Set(ref.objects);
  for await (const entry of manifest.entries()) {
    if (entry.type === "stream") {
      const other = streams.get(entry.where.object);
      // An object has one hash. If two entries give different hashes for it, one of them gets wrong bytes.
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
    throw new UnreadableCursorError("A check cannot continue after the last object");
  let bytesRead = 0;
  /** Checked blobs of the packs in this group, by location. */
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
      // A record missing here is reported with its path when the manifest is compared.
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
