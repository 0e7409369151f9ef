import type { BucketBody } from "./bucket.ts";
import { type ByteSource, openByteReader } from "./byte-reader.ts";
import {
  FRAME_BYTES,
  frameCount,
  HEADER_BYTES,
  type ObjectIdentity,
  objectKey,
  openHeader,
  plainSize,
  storedSize,
  TAG_BYTES,
} from "./format.ts";
import type { VaultReadDeps } from "./vault-deps.ts";
import { VaultError } from "./vault-error.ts";

const STORED_FRAME_BYTES = FRAME_BYTES + TAG_BYTES;
/** Frames per request: few calls, and no response stays open for long when the consumer is slow. */
const WINDOW_FRAMES = 16;

/** A range of an object's plain bytes. */
export type ByteRange = { offset: number; length: number };

/** The object to read. Size and hash are checked when they are given. */
export type ObjectSource = ObjectIdentity & { sizeBytes?: number; hash?: string };

/** An object in its bucket. Its key and size are known once the header has been read. */
export type ObjectHandle = {
  deps: VaultReadDeps;
  source: ObjectSource;
  name: string;
  opened: OpenedObject | null;
};
type OpenedObject = { key: CryptoKey; sizeBytes: number };

/** An encrypted frame. */
export type StoredFrame = { index: number; isLast: boolean; bytes: Uint8Array<ArrayBuffer> };

/** Prepares an object for reading without a request. */
export function objectHandle(deps: VaultReadDeps, source: ObjectSource): ObjectHandle {
  return { deps, source, name: objectKey(source.scope, source.id), opened: null };
}

/** Reads the header once. @throws VaultError */
export async function openStored(object: ObjectHandle): Promise<OpenedObject> {
  if (!object.opened) await (await openFrom(object, await fetchRange(object, 0, HEADER_BYTES))).end();
  return object.opened!;
}

/**
 * Opens an object and fetches its first window in one request. Returns null when it is already open or the range starts
 * later.
 */
export async function openWithFirstWindow(
  object: ObjectHandle,
  wanted: ByteRange | undefined,
): Promise<ByteSource | null> {
  const isAtStart = !wanted || (wanted.offset < FRAME_BYTES && wanted.length > 0);
  if (object.opened || !isAtStart) return null;
  const end = wanted ? wanted.offset + wanted.length : Number.POSITIVE_INFINITY;
  const frames = Math.min(WINDOW_FRAMES, Math.ceil(end / FRAME_BYTES));
  return openFrom(object, await fetchRange(object, 0, HEADER_BYTES + frames * STORED_FRAME_BYTES));
}

/**
 * Yields the stored frames `first` to `last` and requests the next window while the current one is read.
 * @param buffers Memory for frames; the caller returns it.
 */
export async function* storedFrames(
  object: ObjectHandle,
  { first, last, sizeBytes }: { first: number; last: number; sizeBytes: number },
  buffers: Uint8Array<ArrayBuffer>[],
  firstWindow: ByteSource | null,
): AsyncGenerator<StoredFrame, void> {
  const frames = frameCount(sizeBytes);
  const windowEnd = (index: number) => Math.min(index + WINDOW_FRAMES - 1, last);
  const request = (index: number) => {
    const length = (windowEnd(index) - index + 1) * STORED_FRAME_BYTES;
    const body = fetchRange(object, HEADER_BYTES + index * STORED_FRAME_BYTES, length);
    body.catch(() => {});
    return body;
  };
  let reader = firstWindow;
  let next: Promise<BucketBody> | null = reader ? null : request(first);
  try {
    for (let index = first, end = windowEnd(first); index <= last; index++) {
      if (index > end) end = windowEnd(index);
      if (!reader) {
        reader = openByteReader((await (next ?? request(index))).body, object.name);
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

async function fetchRange(
  { deps, source, name }: ObjectHandle,
  offset: number,
  length: number,
): Promise<BucketBody> {
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

/** Reads the header of a body and returns the source positioned after it. */
async function openFrom(object: ObjectHandle, body: BucketBody): Promise<ByteSource> {
  const reader = openByteReader(body.body, object.name);
  try {
    const sizeBytes = plainSize(body.size);
    const header = await reader.readExactly(new Uint8Array(HEADER_BYTES), HEADER_BYTES);
    const key = await openHeader(object.deps.organisationKey, object.source, header);
    object.opened = { key, sizeBytes };
    return reader;
  } catch (cause) {
    await reader.cancel();
    throw cause;
  }
}

/** True for R2's error (code 10039) when a range begins after the end of the object. */
function isOutOfRange(cause: unknown): boolean {
  return cause instanceof Error && cause.message.includes("10039");
}
