import { createHash } from "node:crypto";
import { toHex } from "#core/kernel/crypto.ts";
import { invariant } from "#core/kernel/invariant.ts";
import type { BucketBody } from "./bucket.ts";
import {
  FRAME_BYTES,
  frameCount,
  HEADER_BYTES,
  type ObjectIdentity,
  objectKey,
  openFrame,
  openHeader,
  plainSize,
  storedSize,
  TAG_BYTES,
} from "./format.ts";
import type { VaultReadDeps } from "./vault-deps.ts";
import { VaultError } from "./vault-error.ts";

const STORED_FRAME_BYTES = FRAME_BYTES + TAG_BYTES;
/** Frames fetched at once: few requests, and no response stays open long when the consumer is slow. */
const WINDOW_FRAMES = 16;

/** A range of an object's plain bytes. */
export type ByteRange = { offset: number; length: number };

/** The object to read. Size and hash are checked when given. */
export type ObjectSource = ObjectIdentity & { sizeBytes?: number; hash?: string };

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
  const name = objectKey(source.scope, source.id);
  let opened: { key: CryptoKey; sizeBytes: number } | null = null;

  async function fetchRange(offset: number, length: number): Promise<BucketBody> {
    const body = await deps.bucket.get(name, { range: { offset, length } }).catch((cause: unknown) => {
      if (!isOutOfRange(cause)) throw cause;
      throw new VaultError("truncated", `${name} ends before byte ${offset}`, { cause });
    });
    if (!body) throw new VaultError("missing", `${name} is not in the bucket`);
    const expected = source.sizeBytes === undefined ? body.size : storedSize(source.sizeBytes);
    if (body.size === expected) return body;
    await body.body.cancel();
    const kind = body.size < expected ? "truncated" : "tampered";
    throw new VaultError(kind, `${name} is ${body.size} bytes long instead of ${expected}`);
  }

  /** Reads the header at the start of a body and returns the rest of the body. */
  async function openFrom(body: BucketBody): Promise<ByteSource> {
    const reader = openByteReader(body.body, name);
    try {
      const sizeBytes = plainSize(body.size);
      const header = await reader.readExactly(new Uint8Array(HEADER_BYTES), HEADER_BYTES);
      opened = { key: await openHeader(deps.organisationKey, source, header), sizeBytes };
      return reader;
    } catch (cause) {
      await reader.cancel();
      throw cause;
    }
  }

  async function open(): Promise<{ key: CryptoKey; sizeBytes: number }> {
    if (!opened) await (await openFrom(await fetchRange(0, HEADER_BYTES))).end();
    return opened!;
  }

  /** Opens an object and fetches its first window in one request. */
  async function openWithFirstWindow(wanted: ByteRange | undefined): Promise<ByteSource | null> {
    const isAtStart = !wanted || (wanted.offset < FRAME_BYTES && wanted.length > 0);
    if (opened || !isAtStart) return null;
    const end = wanted ? wanted.offset + wanted.length : Number.POSITIVE_INFINITY;
    const frames = Math.min(WINDOW_FRAMES, Math.ceil(end / FRAME_BYTES));
    return openFrom(await fetchRange(0, HEADER_BYTES + frames * STORED_FRAME_BYTES));
  }

  /** Yields the stored frames `first` to `last`. Requests the next window while the current one is read. */
  async function* storedFrames(
    first: number,
    last: number,
    buffers: Uint8Array<ArrayBuffer>[],
    sizeBytes: number,
    firstWindow: ByteSource | null,
  ) {
    const frames = frameCount(sizeBytes);
    const windowEnd = (index: number) => Math.min(index + WINDOW_FRAMES - 1, last);
    const request = (index: number) => {
      const length = (windowEnd(index) - index + 1) * STORED_FRAME_BYTES;
      const body = fetchRange(HEADER_BYTES + index * STORED_FRAME_BYTES, length);
      body.catch(() => {});
      return body;
    };
    let reader = firstWindow;
    let next: Promise<BucketBody> | null = reader ? null : request(first);
    try {
      for (let index = first, end = windowEnd(first); index <= last; index++) {
        if (index > end) end = windowEnd(index);
        if (!reader) {
          reader = openByteReader((await (next ?? request(index))).body, name);
          next = null;
        }
        if (!next && end < last && end - index < WINDOW_FRAMES / 4) next = request(end + 1);
        const isLast = index === frames - 1;
        const length = isLast ? sizeBytes - index * FRAME_BYTES + TAG_BYTES : STORED_FRAME_BYTES;
        const buffer = buffers.pop() ?? new Uint8Array(length);
        const bytes = await reader.readExactly(buffer, length);
        if (index === end) {
          await reader.end();
          reader = null;
        }
        yield { index, isLast, bytes };
      }
    } finally {
      await reader?.cancel();
      await next?.then((body) => body.body.cancel()).catch(() => {});
    }
  }

  async function* read(
    range: ByteRange | undefined,
    { shouldHash = true, isClamped = false, isLent = true } = {},
  ) {
    const firstWindow = await openWithFirstWindow(range);
    const { key, sizeBytes } = await open();
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
    const frames = storedFrames(first, last, buffers, sizeBytes, firstWindow);
    let pending = frames.next();
    const openNext = async () => {
      const { value: frame, done } = await pending;
      if (done) return null;
      pending = frames.next();
      pending.catch(() => {});
      const plain = await openFrame(key, { ...frame, name });
      buffers.push(new Uint8Array(frame.bytes.buffer));
      return { start: frame.index * FRAME_BYTES, plain };
    };
    // The look-ahead (one frame being fetched, one being decrypted) is here because a consumer may hold only one chunk.
    let opening = openNext();
    try {
      for (let frame = await opening; frame; frame = await opening) {
        opening = openNext();
        opening.catch(() => {});
        const { start, plain } = frame;
        const from = Math.max(offset - start, 0);
        const chunk = plain.subarray(from, Math.min(offset + length - start, plain.length));
        hash?.update(chunk);
        if (chunk.length > 0) yield chunk;
        if (isLent) giveBack(plain);
      }
    } finally {
      // The consumer keeps the chunk at which it stopped. Release the chunks that it never received.
      await opening.then((frame) => frame && giveBack(frame.plain)).catch(() => {});
      await pending.catch(() => {});
      await frames.return(undefined);
      buffers.forEach(giveBack);
    }
    if (hash && toHex(hash.digest()) !== source.hash) {
      throw new VaultError("tampered", `${name} does not have the hash that was recorded`);
    }
  }

  return {
    size: async () => source.sizeBytes ?? (await open()).sizeBytes,
    read: (range) => read(range),
    readFrames: (index, count) =>
      read(
        { offset: index * FRAME_BYTES, length: count * FRAME_BYTES },
        { shouldHash: false, isClamped: true, isLent: false },
      ),
    async pipeTo(writable, range) {
      const writer = writable.getWriter();
      try {
        for await (const chunk of read(range, { shouldHash: false })) await writer.write(chunk);
      } finally {
        writer.releaseLock();
      }
    },
  };
}

/** Reads all plain bytes of an object that is known to be small. @throws VaultError */
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
function giveBack({ buffer }: Uint8Array<ArrayBuffer>): void {
  if (!buffer.detached) buffer.transfer(0);
}

/** True for R2's error (code 10039) when an object ends before the range begins. */
function isOutOfRange(cause: unknown): boolean {
  return cause instanceof Error && cause.message.includes("10039");
}

type ByteSource = {
  /** Fills the first `length` bytes of the buffer and detaches it. The result is a view of the new buffer. */
  readExactly(buffer: Uint8Array<ArrayBuffer>, length: number): Promise<Uint8Array<ArrayBuffer>>;
  /** Ends a body that was read completely. */
  end(): Promise<void>;
  /** Cancels a body before its end. */
  cancel(): Promise<void>;
};

/**
 * Reads a body in large pieces. A default reader returns 4 KiB chunks, which alone would halve the download speed.
 * `readAtLeast` is the runtime's own call, `min` the standard's.
 */
function openByteReader(body: ReadableStream, name: string): ByteSource {
  const reader = body.getReader({ mode: "byob" }) as unknown as LargeReader;
  return {
    async readExactly(buffer, length) {
      const view = buffer.subarray(0, length);
      const { value } = await (reader.readAtLeast
        ? reader.readAtLeast(length, view)
        : reader.read(view, { min: length }));
      if (!value || value.byteLength < length) throw new VaultError("truncated", `${name} ends too early`);
      return value;
    },
    async end() {
      const { done } = await reader.read(new Uint8Array(1), { min: 1 });
      if (!done) await reader.cancel();
    },
    cancel: () => reader.cancel().catch(() => {}),
  };
}

/** The calls for reading large pieces in the two runtimes, workerd and Node. */
type LargeReader = {
  readAtLeast?(length: number, view: Uint8Array): Promise<{ value?: Uint8Array<ArrayBuffer> }>;
  read(
    view: Uint8Array,
    options: { min: number },
  ): Promise<{ value?: Uint8Array<ArrayBuffer>; done: boolean }>;
  cancel(): Promise<void>;
};
