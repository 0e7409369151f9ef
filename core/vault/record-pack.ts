import { createHash } from "node:crypto";
import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import { fromHex, toHex } from "#core/kernel/crypto.ts";
import { invariant } from "#core/kernel/invariant.ts";
import { writeObject } from "./object-writer.ts";
import type { Location, ObjectScope, StoredObject } from "./types.ts";
import type { VaultDeps } from "./vault-deps.ts";
import { VaultError } from "./vault-error.ts";

/** Maximum plain bytes of a pack including its index. With header and tags the object is just under one upload part. */
const PACK_BYTES = 8 * 1_048_576 - 4_096;
const ROW_BYTES = 48;
const FOOTER_BYTES = 8;
const MAGIC = 0x48465031;
/** Below this size deflate saves little or nothing. */
const MIN_DEFLATE_BYTES = 64;

/** Returns the bytes that a blob of this stored length takes in a pack, including its index row. */
export function packShare(storedLength: number): number {
  return storedLength + ROW_BYTES;
}

/** The content of a blob: a record, a chunk of a manifest, or a manifest's root. */
export type BlobType = "record" | "chunk" | "root";
const BLOB_TYPES: readonly BlobType[] = ["record", "chunk", "root"];

/** Bytes inside a pack: their location, and the facts of their inflated form. */
export type Blob = { where: Location; hash: string; sizeBytes: number; crc32: number };

/** Collects blobs and writes them as pack objects of at most 8 MiB. */
export interface PackWriter {
  /** Adds bytes. They are durable only after the next `flush`, or when a later blob fills the pack. */
  add(type: BlobType, plain: Uint8Array, hash: string): Promise<Blob>;
  /** Adds stored bytes from another pack. The caller must have checked that they open to the hash. */
  addStored(
    type: BlobType,
    stored: Uint8Array,
    blob: { method: 0 | 8; hash: string; sizeBytes: number },
  ): Promise<Location>;
  /** Writes the pending blobs. */
  flush(): Promise<void>;
  /** Discards the pending blobs. */
  discard(): void;
}

/** Creates a pack writer. It calls `onWritten` for every pack that became durable. */
export function createPackWriter(
  deps: VaultDeps,
  target: { scope: ObjectScope; runId: string; onWritten: (object: StoredObject) => void },
): PackWriter {
  let id: string | null = null;
  let buffer = new Uint8Array(16 * 1024);
  let used = 0;
  let rows: PackRow[] = [];

  function reset(): void {
    id = null;
    used = 0;
    rows = [];
  }

  async function flush(): Promise<void> {
    if (!id) return;
    const packId = id;
    const index = encodePackIndex(rows);
    buffer = reserve(buffer, used, used + index.length);
    buffer.set(index, used);
    const { scope, runId } = target;
    const whole = buffer.subarray(0, used + index.length);
    target.onWritten(await writeObject(deps, { scope, kind: "pack", runId, id: packId }, whole));
    reset();
  }

  const addStored: PackWriter["addStored"] = async (type, stored, { method, hash, sizeBytes }) => {
    const needed = used + stored.length + ROW_BYTES * (rows.length + 1) + FOOTER_BYTES;
    if (id && needed > PACK_BYTES) await flush();
    id ??= deps.ids.next("object");
    const where: Location = { object: id, offset: used, length: stored.length, method };
    buffer = reserve(buffer, used, used + stored.length);
    buffer.set(stored, used);
    used += stored.length;
    rows.push({ type, offset: where.offset, length: where.length, method, sizeBytes, hash });
    return where;
  };

  return {
    async add(type, plain, hash) {
      const deflated = plain.length < MIN_DEFLATE_BYTES ? null : deflateRawSync(plain, { level: 6 });
      const isSmaller = deflated !== null && deflated.length < plain.length;
      const sizeBytes = plain.length;
      const method = isSmaller ? 8 : 0;
      const where = await addStored(type, isSmaller ? deflated : plain, { method, hash, sizeBytes });
      return { where, hash, sizeBytes, crc32: crc32(plain) };
    },
    addStored,
    flush,
    discard: reset,
  };
}

/** A row of the index at the end of a pack. */
export type PackRow = {
  type: BlobType;
  offset: number;
  length: number;
  method: 0 | 8;
  sizeBytes: number;
  hash: string;
};

/** Encodes the index at the end of a pack. It makes the pack readable without a ledger. */
export function encodePackIndex(rows: readonly PackRow[]): Uint8Array {
  const bytes = new Uint8Array(rows.length * ROW_BYTES + FOOTER_BYTES);
  const view = new DataView(bytes.buffer);
  for (const [i, row] of rows.entries()) {
    const at = i * ROW_BYTES;
    bytes[at] = BLOB_TYPES.indexOf(row.type) + 1;
    bytes[at + 1] = row.method;
    view.setUint32(at + 4, row.offset);
    view.setUint32(at + 8, row.length);
    view.setUint32(at + 12, row.sizeBytes);
    bytes.set(fromHex(row.hash), at + 16);
  }
  view.setUint32(rows.length * ROW_BYTES, rows.length);
  view.setUint32(rows.length * ROW_BYTES + 4, MAGIC);
  return bytes;
}

/** Reads the index of a complete pack. @throws VaultError `tampered` when the bytes are not a record pack */
export function decodePackIndex(pack: Uint8Array): PackRow[] {
  const view = new DataView(pack.buffer, pack.byteOffset, pack.length);
  const footer = pack.length - FOOTER_BYTES;
  const isPack = footer >= 0 && view.getUint32(footer + 4) === MAGIC;
  const count = isPack ? view.getUint32(footer) : 0;
  const start = footer - count * ROW_BYTES;
  if (!isPack || start < 0) throw new VaultError("tampered", "the object is not a record pack");
  return Array.from({ length: count }, (_, i): PackRow => {
    const at = start + i * ROW_BYTES;
    const type = BLOB_TYPES[pack[at]! - 1];
    const method = pack[at + 1];
    if (!type || (method !== 0 && method !== 8)) {
      throw new VaultError("tampered", `row ${i} of the record pack has an unknown form`);
    }
    return {
      type,
      method,
      offset: view.getUint32(at + 4),
      length: view.getUint32(at + 8),
      sizeBytes: view.getUint32(at + 12),
      hash: toHex(pack.subarray(at + 16, at + ROW_BYTES)),
    };
  });
}

/** Inflates the stored bytes of a blob and checks its hash. @throws VaultError `tampered` */
export function openBlob(
  stored: Uint8Array,
  blob: { method: 0 | 8; hash: string; name: string },
): Uint8Array {
  const plain = blob.method === 8 ? inflate(stored, blob.name) : stored;
  if (hashOf(plain) !== blob.hash) throw new VaultError("tampered", `${blob.name} does not have its hash`);
  return plain;
}

/** SHA-256 in hexadecimal, synchronous: for small inputs an asynchronous call costs more than the hash. */
export function hashOf(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function inflate(stored: Uint8Array, name: string): Uint8Array {
  try {
    return inflateRawSync(stored);
  } catch (cause) {
    throw new VaultError("tampered", `${name} does not inflate`, { cause });
  }
}

function reserve(buffer: Uint8Array<ArrayBuffer>, used: number, needed: number): Uint8Array<ArrayBuffer> {
  invariant(needed < 2 ** 32, "a record is larger than a pack can hold");
  if (needed <= buffer.length) return buffer;
  const larger = new Uint8Array(Math.max(needed, buffer.length * 2));
  larger.set(buffer.subarray(0, used));
  return larger;
}
