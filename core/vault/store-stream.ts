import { objectKey } from "./format.ts";
import type { ManifestReader } from "./manifest-reader.ts";
import { openObjectWriter } from "./object-writer.ts";
import type { ObjectScope } from "./types.ts";
import type { VaultDeps } from "./vault-deps.ts";
import { VaultError } from "./vault-error.ts";

/** The naming fields of an entry. */
export type EntryName = { path: string; kind: string; title?: string; parent?: string };

/** Receives the bytes of a stream. */
export type StreamSink = { write(chunk: Uint8Array): Promise<void> | void };

/** A stream to be stored in a snapshot. */
export type StreamOrder = {
  scope: ObjectScope;
  runId: string;
  previous: ManifestReader | null;
  path: string;
  expectedHash?: string;
  optional?: boolean;
};

/** Object and facts of the stored bytes. `writtenBytes` is 0 when the bytes were already stored. */
export type StoredStream = {
  object: string;
  writtenBytes: number;
  hash: string;
  sizeBytes: number;
  crc32: number;
};

/**
 * Stores a stream, or finds that its bytes are already stored. Returns null for an optional stream without bytes.
 * @throws VaultError `mismatch`, and any error of `write`; the upload is removed in both cases
 */
export async function storeStream(
  deps: VaultDeps,
  order: StreamOrder,
  write: (sink: StreamSink) => Promise<void>,
): Promise<StoredStream | null> {
  const { scope, runId, path } = order;
  const writer = await openObjectWriter(deps, { scope, kind: "stream", runId });
  try {
    await write({ write: writer.write });
    const digest = writer.digest();
    if (order.expectedHash !== undefined && order.expectedHash.toLowerCase() !== digest.hash) {
      throw new VaultError("mismatch", `${path} arrived as ${digest.hash} instead of ${order.expectedHash}`);
    }
    if (order.optional && digest.sizeBytes === 0) {
      await writer.abort();
      return null;
    }
    const known = await findStored(deps, order, digest.hash);
    if (known) {
      await writer.abort();
      return { ...digest, object: known, writtenBytes: 0 };
    }
    const object = await writer.close();
    return { ...digest, object: object.id, writtenBytes: object.storedBytes };
  } catch (cause) {
    // Objects that cannot be removed now stay reserved, and prune finds them. Report the first error.
    await writer.abort().catch(() => {});
    throw cause;
  }
}

/**
 * Finds an object of the item that already holds these bytes. An object of the previous snapshot is safe, because that
 * snapshot exists. Any other object is first adopted by the run in the registry, then checked in the bucket.
 */
async function findStored(
  deps: Pick<VaultDeps, "bucket" | "registry">,
  { previous, path, scope, runId }: StreamOrder,
  hash: string,
): Promise<string | null> {
  const old = await previous?.find(path);
  if (old?.type === "stream" && old.hash === hash) return old.where.object;
  const adopted = await deps.registry.findStream(scope.itemId, hash, runId);
  if (!adopted) return null;
  const found = await deps.bucket.head(objectKey(scope, adopted.id));
  return found?.size === adopted.storedBytes ? adopted.id : null;
}
