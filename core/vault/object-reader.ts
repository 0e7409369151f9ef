import { createHash } from "node:crypto";
import { toHex } from "#core/kernel/crypto.ts";
import { invariant } from "#core/kernel/invariant.ts";
import { FRAME_BYTES, openFrame } from "./format.ts";
import {
  type ByteRange,
  type ObjectHandle,
  type ObjectSource,
  objectHandle,
  openStored,
  openWithFirstWindow,
  type StoredFrame,
  storedFrames,
} from "./object-handle.ts";
import type { VaultReadDeps } from "./vault-deps.ts";
import { VaultError } from "./vault-error.ts";

/**
 * Reads one object. A chunk from `read` is valid only until the next one is requested; then its memory is released at
 * once and its length becomes 0. Waiting for garbage collection would let the buffers of a large object pile up.
 */
export interface ObjectReader {
  /** Plain size. */
  size(): Promise<number>;
  /**
   * Yields plain bytes in chunks of at most 1 MiB, each authenticated first. Reading the whole object also checks its
   * hash at the end. @throws VaultError
   */
  read(range?: ByteRange): AsyncIterable<Uint8Array<ArrayBuffer>>;
  /**
   * Yields the plain bytes of at most `count` frames starting at frame `index`, one chunk per frame. The caller may
   * keep them.
   */
  readFrames(index: number, count: number): AsyncIterable<Uint8Array<ArrayBuffer>>;
  /**
   * Writes the range to a stream and leaves the stream open. Once a write resolves, its chunk must not be used again.
   * Frames are authenticated; the hash is not computed.
   */
  pipeTo(writable: WritableStream<Uint8Array>, range?: ByteRange): Promise<void>;
}

/** Opens an object for reading. The first call fetches. */
export function openObjectReader(deps: VaultReadDeps, source: ObjectSource): ObjectReader {
  const object = objectHandle(deps, source);
  return {
    size: async () => source.sizeBytes ?? (await openStored(object)).sizeBytes,
    read: (range) => read(object, range),
    readFrames: (index, count) =>
      read(
        object,
        { offset: index * FRAME_BYTES, length: count * FRAME_BYTES },
        { shouldHash: false, isClamped: true, isLent: false },
      ),
    async pipeTo(writable, range) {
      const writer = writable.getWriter();
      try {
        for await (const chunk of read(object, range, { shouldHash: false })) await writer.write(chunk);
      } finally {
        writer.releaseLock();
      }
    },
  };
}

async function* read(
  object: ObjectHandle,
  range: ByteRange | undefined,
  { shouldHash = true, isClamped = false, isLent = true } = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const { name, source } = object;
  const firstWindow = await openWithFirstWindow(object, range);
  const { key, sizeBytes } = await openStored(object);
  const offset = range?.offset ?? 0;
  const end = isClamped ? sizeBytes : Number.POSITIVE_INFINITY;
  const length = range ? Math.min(range.length, end - offset) : sizeBytes;
  if (isClamped && length <= 0) {
    await firstWindow?.cancel();
    return;
  }
  const isInside = offset >= 0 && length >= 0 && offset + length <= sizeBytes;
  invariant(isInside, `${offset}+${length} lies outside the ${sizeBytes} bytes of ${name}`);
  const isWhole = offset === 0 && length === sizeBytes;
  if (length === 0 && !isWhole) return;
  const hash = shouldHash && isWhole && source.hash !== undefined ? createHash("sha256") : null;
  const first = Math.floor(offset / FRAME_BYTES);
  const last = length === 0 ? 0 : Math.floor((offset + length - 1) / FRAME_BYTES);
  const buffers: Uint8Array<ArrayBuffer>[] = [];
  const stored = storedFrames(object, { first, last, sizeBytes }, buffers, firstWindow);
  const frames = openFrames({ stored, key, name, buffers });
  try {
    for (let frame = await frames.next(); frame; frame = await frames.next()) {
      const { start, plain } = frame;
      const from = Math.max(offset - start, 0);
      const chunk = plain.subarray(from, Math.min(offset + length - start, plain.length));
      hash?.update(chunk);
      if (chunk.length > 0) yield chunk;
      if (isLent) freeBuffer(plain);
    }
  } finally {
    await frames.close();
  }
  if (hash && toHex(hash.digest()) !== source.hash) {
    throw new VaultError("tampered", `${name} does not have the hash that was recorded`);
  }
}

type PlainFrame = { start: number; plain: Uint8Array<ArrayBuffer> };

/**
 * Opens frames in order. It fetches one frame and decrypts one ahead, because a consumer may hold only one chunk.
 */
function openFrames(from: {
  stored: AsyncGenerator<StoredFrame, void>;
  key: CryptoKey;
  name: string;
  buffers: Uint8Array<ArrayBuffer>[];
}): { next(): Promise<PlainFrame | null>; close(): Promise<void> } {
  const { stored, key, name, buffers } = from;
  let pending = stored.next();
  const openNext = async (): Promise<PlainFrame | null> => {
    const { value: frame, done } = await pending;
    if (done) return null;
    pending = stored.next();
    pending.catch(() => {});
    const plain = await openFrame(key, { ...frame, name });
    buffers.push(new Uint8Array(frame.bytes.buffer));
    return { start: frame.index * FRAME_BYTES, plain };
  };
  let opening = openNext();
  return {
    async next() {
      const frame = await opening;
      if (frame) {
        opening = openNext();
        opening.catch(() => {});
      }
      return frame;
    },
    /** The last chunk stays with the consumer; unread frames are released. */
    async close() {
      await opening.then((frame) => frame && freeBuffer(frame.plain)).catch(() => {});
      await pending.catch(() => {});
      await stored.return(undefined);
      buffers.forEach(freeBuffer);
    },
  };
}

/** Returns all plain bytes of a small object. @throws VaultError */
export async function readObject(
  deps: VaultReadDeps,
  source: ObjectSource,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = openObjectReader(deps, source);
  const bytes = new Uint8Array(await reader.size());
  let offset = 0;
  for await (const chunk of reader.read()) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  invariant(offset === bytes.length, `${offset} of ${bytes.length} bytes of ${source.id} were read`);
  return bytes;
}

/**
 * Frees the memory now instead of at the next garbage collection. The consumer may already have transferred the buffer.
 */
function freeBuffer({ buffer }: Uint8Array<ArrayBuffer>): void {
  if (!buffer.detached) buffer.transfer(0);
}
