import { objectKey } from "./format.ts";
import type { ManifestReader } from "./manifest-reader.ts";
import { openObjectWriter } from "./object-writer.ts";
import type { ObjectScope } from "./types.ts";
import type { VaultDeps } from "./vault-deps.ts";
import { VaultError } from "./vault-error.ts";

/** What names an entry. */
export type EntryName = { path: string; kind: string; title?: string; parent?: string };

/** Takes the bytes of a stream. */
export type StreamSink = { write(chunk: Uint8Array): Promise<void> | void };

/** A stream on its way into a snapshot. */
export type StreamOrder = {
  scope: ObjectScope;
  runId: string;
  previous: ManifestReader | null;
  path: string;
  expectedHash?: string;
  optional?: boolean;
};

/** Where the bytes are, what they are, and how many bytes it took; 0 when they were there already. */
export type StoredStream = {
  object: string;
  writtenBytes: number;
  hash: string;
  sizeBytes: number;
  crc32: number;
};

/**
 * Stores a stream, or finds that its bytes are already there. Null = an optional stream without bytes.
 * @throws VaultError `mismatch`, and whatever `write` throws; either way the upload is gone
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
    // What cannot be removed now stays reserved, so that prune finds it; the first error is the one to tell.
    await writer.abort().catch(() => {});
    throw cause;
  }
}

/**
 * An object of the item that already holds these bytes. One of the previous snapshot is safe, because that
 * snapshot is alive; any other is adopted by the run in the registry and then looked for in the bucket.
 */
async function findStored(
  deps: VaultDeps,
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
