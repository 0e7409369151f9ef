import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { randomBytes } from "#core/kernel/crypto.ts";
import { invariant } from "#core/kernel/invariant.ts";
import type { MultipartUpload, UploadedPart } from "./bucket.ts";
import { createCipher, FRAME_BYTES, objectKey, SALT_BYTES, sealFrame, storedSize } from "./format.ts";
import type { ObjectKind, ObjectScope, StoredObject } from "./types.ts";
import type { VaultDeps } from "./vault-deps.ts";
import { VaultError } from "./vault-error.ts";

/** R2 requires equal parts except the last, at least 5 MiB each and at most 10,000: 80 GB per object. */
const PART_BYTES = 8 * 1_048_576;
const MAX_PARTS = 10_000;
const ATTEMPTS = 3;

/** Hash, checksum and size of the plain bytes written so far. */
export type Digest = { hash: string; crc32: number; sizeBytes: number };

/** The object to write. The id is generated when absent. */
export type ObjectTarget = { scope: ObjectScope; kind: ObjectKind; runId: string; id?: string };

/** Writes one object. End it with exactly one call of `close` or `abort`. */
export interface ObjectWriter {
  readonly id: string;
  /** Writes plain bytes. They must not change until the promise resolves. One call at a time. */
  write(chunk: Uint8Array): Promise<void> | void;
  /** Digest of the bytes written so far. */
  digest(): Digest;
  /** Makes the object durable and registers it. */
  close(): Promise<StoredObject>;
  /** Removes the uploaded bytes. */
  abort(): Promise<void>;
}

/**
 * Opens a writer with constant memory: one frame and two parts, of which one uploads while the other fills. The bucket
 * and the registry are not called before the first part is full or the object ends.
 * @throws the error of the bucket or the registry after three attempts
 */
export async function openObjectWriter(deps: VaultDeps, target: ObjectTarget): Promise<ObjectWriter> {
  const id = target.id ?? deps.ids.next("object");
  const identity = { scope: target.scope, id, kind: target.kind };
  const cipher = await createCipher(deps.organisationKey, identity, randomBytes(SALT_BYTES));
  const upload = createUpload(deps, { ...target, id });
  await upload.append(cipher.header);
  const hash = createHash("sha256");
  let crc = 0;
  let sizeBytes = 0;
  let frame: Uint8Array<ArrayBuffer> | null = null;
  let filled = 0;
  let index = 0;
  let isBusy = false;

  const seal = async (bytes: Uint8Array, isLast: boolean) => {
    const sealed = await sealFrame(cipher.key, { index: index++, isLast, bytes });
    await upload.append(sealed);
    // The part holds a copy. Releasing the frame at once keeps memory constant, even for a gigabyte.
    sealed.buffer.transfer(0);
  };

  /** Holds back a full frame until more bytes show that it is not the last. */
  async function writeAcrossFrames(chunk: Uint8Array): Promise<void> {
    isBusy = true;
    let offset = 0;
    while (offset < chunk.length) {
      if (filled === FRAME_BYTES) {
        await seal(frame!, false);
        filled = 0;
      }
      if (filled === 0 && chunk.length - offset > FRAME_BYTES) {
        await seal(chunk.subarray(offset, offset + FRAME_BYTES), false);
        offset += FRAME_BYTES;
        continue;
      }
      frame ??= new Uint8Array(FRAME_BYTES);
      const taken = Math.min(FRAME_BYTES - filled, chunk.length - offset);
      frame.set(chunk.subarray(offset, offset + taken), filled);
      filled += taken;
      offset += taken;
    }
    isBusy = false;
  }

  const digest = (): Digest => ({ hash: hash.copy().digest("hex"), crc32: crc, sizeBytes });
  return {
    id,
    write(chunk) {
      invariant(!isBusy, `a second write to ${id} began before the first had ended`);
      hash.update(chunk);
      crc = crc32(chunk, crc);
      sizeBytes += chunk.length;
      if (frame && filled + chunk.length <= FRAME_BYTES) {
        frame.set(chunk, filled);
        filled += chunk.length;
        return;
      }
      return writeAcrossFrames(chunk);
    },
    digest,
    async close() {
      await seal(frame ? frame.subarray(0, filled) : new Uint8Array(0), true);
      const storedBytes = storedSize(sizeBytes);
      await upload.complete(storedBytes);
      const key = objectKey(target.scope, id);
      const object: StoredObject = { id, kind: target.kind, key, storedBytes, ...digest() };
      await deps.registry.complete(object);
      return object;
    },
    abort: () => upload.abort(),
  };
}

/** Writes bytes in memory as one object. */
export async function writeObject(
  deps: VaultDeps,
  target: ObjectTarget,
  bytes: Uint8Array,
): Promise<StoredObject> {
  const writer = await openObjectWriter(deps, target);
  try {
    await writer.write(bytes);
    return await writer.close();
  } catch (cause) {
    // Objects that cannot be removed now stay reserved, and prune finds them. Report the first error.
    await writer.abort().catch(() => {});
    throw cause;
  }
}

/** Collects stored bytes into equal parts. An object smaller than one part is stored with a single `put`. */
function createUpload(deps: Pick<VaultDeps, "bucket" | "registry">, target: ObjectTarget & { id: string }) {
  const key = objectKey(target.scope, target.id);
  const parts: UploadedPart[] = [];
  let part = new Uint8Array(64 * 1024);
  let spare: Uint8Array<ArrayBuffer> | null = null;
  let used = 0;
  let multipart: MultipartUpload | null = null;
  let uploading: Promise<void> | null = null;
  let isReserved = false;

  async function reserve(): Promise<void> {
    if (isReserved) return;
    const { id, kind, runId } = target;
    await deps.registry.reserve({ id, kind, key, itemId: target.scope.itemId, runId });
    isReserved = true;
  }

  async function startPart(): Promise<void> {
    await uploading;
    if (!multipart) {
      await reserve();
      multipart = await deps.bucket.createMultipartUpload(key);
    }
    const partNumber = parts.length + 1;
    invariant(partNumber <= MAX_PARTS, `${key} has more than ${MAX_PARTS} parts`);
    const bytes = part.subarray(0, used);
    const target = multipart;
    const placeholder: UploadedPart = { partNumber, etag: "" };
    parts.push(placeholder);
    uploading = attempt(() => target.uploadPart(partNumber, bytes)).then((uploaded) => {
      placeholder.etag = uploaded.etag;
    });
    // The next call that awaits the part gets the error. Until then it must not count as unhandled.
    uploading.catch(() => {});
    const next = spare ?? new Uint8Array(PART_BYTES);
    spare = part;
    part = next;
    used = 0;
  }

  return {
    async append(bytes: Uint8Array): Promise<void> {
      for (let offset = 0; offset < bytes.length; ) {
        if (used === PART_BYTES) await startPart();
        const taken = Math.min(PART_BYTES - used, bytes.length - offset);
        part = grown(part, used, used + taken);
        part.set(bytes.subarray(offset, offset + taken), used);
        used += taken;
        offset += taken;
      }
    },
    async complete(storedBytes: number): Promise<void> {
      if (!multipart) {
        await reserve();
        await attempt(() => deps.bucket.put(key, part.subarray(0, used)));
        return;
      }
      await startPart();
      await uploading;
      await completeMultipart(deps, { multipart, parts, key, storedBytes });
    },
    async abort(): Promise<void> {
      await uploading?.catch(() => {});
      if (!isReserved) return;
      // An upload with an unknown outcome may have become an object, so remove both.
      if (multipart) await multipart.abort().catch(() => {});
      await deps.bucket.delete(key);
      await deps.registry.discard([target.id]);
    },
  };
}

/**
 * Completes a multipart upload. The reply may be lost although the call took effect, so check the object in the bucket.
 */
async function completeMultipart(
  deps: Pick<VaultDeps, "bucket">,
  upload: { multipart: MultipartUpload; parts: UploadedPart[]; key: string; storedBytes: number },
): Promise<void> {
  try {
    await upload.multipart.complete(upload.parts);
  } catch (cause) {
    const found = await deps.bucket.head(upload.key);
    if (found?.size !== upload.storedBytes) throw cause;
    return;
  }
  const found = await deps.bucket.head(upload.key);
  if (found?.size !== upload.storedBytes) {
    throw new VaultError("truncated", `${upload.key} did not arrive as it was written`);
  }
}

/** Returns a buffer that holds `needed` bytes. It starts small and doubles, so small objects use little memory. */
function grown(buffer: Uint8Array<ArrayBuffer>, used: number, needed: number): Uint8Array<ArrayBuffer> {
  if (needed <= buffer.length) return buffer;
  const larger = new Uint8Array(Math.min(PART_BYTES, Math.max(needed, buffer.length * 2)));
  larger.set(buffer.subarray(0, used));
  return larger;
}

/** Retries at once on an error of the bucket. Uploading the same bytes again is harmless. */
async function attempt<T>(effect: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await effect();
    } catch (cause) {
      if (tries === ATTEMPTS) throw cause;
    }
  }
}
