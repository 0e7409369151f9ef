import { concatBytes } from "#core/kernel/crypto.ts";
import { applyDelta, readDeltaHeader } from "../apply-delta.ts";
import { GitPackError } from "../git-pack-error.ts";
import { type LfsPointer, readLfsPointer } from "../object-facts.ts";
import { type ObjectFormat, oidLength } from "../object-format.ts";
import {
  BLOB,
  compressedBound,
  type EntryHeader,
  type Inflated,
  inflateEntry,
  inflateLargeEntry,
  LONGEST_HEADER,
  OFS_DELTA,
  readEntryHeader,
} from "../pack-entry.ts";
import type { PackReader } from "../pack-source.ts";
import { createPayloadCache } from "../payload-cache.ts";

/** Finds LFS pointers in a pack while it streams through. */
export type PointerScan = {
  /** Processes the next bytes of the pack, which must not change until the promise resolves. Never rejects. */
  take(chunk: Uint8Array): Promise<void>;
  /** Returns the pointers in the order found; call it after the last bytes. */
  finish(): Promise<LfsPointer[]>;
};

/** How far a pack is searched: bytes of the pack, and of its objects inflated. */
export type ScanLimits = { packBytes: number; inflatedBytes: number };

/**
 * A slice has minutes of CPU time, and a pack inflates at tens of megabytes a second: one of 9 GB ended its backup each
 * time. Within the limits, a search takes a minute.
 */
const SCAN_LIMITS: ScanLimits = { packBytes: 2 * 1024 ** 3, inflatedBytes: 16 * 1024 ** 3 };

const PACK_HEADER_BYTES = 12;
/** Larger entries are inflated in pieces and discarded: they are neither pointers nor bases of pointers. */
const LARGEST_IN_MEMORY = 128 * 1024;
/** Git never deltifies an object against one more than 32 times its size, and pointers are below 1 KiB. */
const LARGEST_BASE = 32 * 1024;
const BASES_KEPT_BYTES = 8 * 1024 * 1024;

/**
 * Finds pointers without storing, naming or ordering objects. Inflates every entry once and resolves only deltas
 * whose base is a recent small blob. Misses a pointer whose base is no longer in memory; the check that indexes the
 * whole pack finds it, and another backup fetches its file. So it does for what lies beyond the limits.
 */
export function createPointerScan(format: ObjectFormat, limits: ScanLimits = SCAN_LIMITS): PointerScan {
  const feed = createFeed(limits.packBytes);
  const found = new Map<string, LfsPointer>();
  const order = { oidBytes: oidLength(format), inflatedBytes: limits.inflatedBytes };
  const done = scan(feed.reader, order, found)
    .catch((cause: unknown) => {
      // A broken pack fails elsewhere with a better message.
      if (!(cause instanceof GitPackError)) throw cause;
    })
    .finally(() => feed.drain());
  // Handled by `finish`.
  done.catch(() => undefined);
  return {
    take: feed.push,
    async finish() {
      feed.end();
      await done;
      return [...found.values()];
    },
  };
}

async function scan(
  reader: PackReader,
  { oidBytes, inflatedBytes }: { oidBytes: number; inflatedBytes: number },
  found: Map<string, LfsPointer>,
): Promise<void> {
  const head = await reader.load(0, PACK_HEADER_BYTES);
  if (head.length < PACK_HEADER_BYTES) return;
  const count = new DataView(head.buffer, head.byteOffset).getUint32(8);
  const bases = createPayloadCache(BASES_KEPT_BYTES);
  let offset = PACK_HEADER_BYTES;
  let left = inflatedBytes;
  for (let index = 0; index < count; index++) {
    const start = await reader.load(offset, LONGEST_HEADER);
    const header = readEntryHeader(start, oidBytes, offset);
    const bodyAt = offset + header.headerLength;
    left -= header.size;
    if (left < 0) return;
    if (header.size > LARGEST_IN_MEMORY) {
      const entry = { offset: bodyAt, size: header.size, end: Number.POSITIVE_INFINITY };
      const { consumed } = await inflateLargeEntry(reader, entry, ignore, ignore, 0);
      offset = bodyAt + consumed;
      continue;
    }
    const { bytes, consumed } = await inflateAt(reader, bodyAt, header.size);
    const blob = blobOf(header, bytes, offset, bases);
    if (blob !== null) {
      bases.set(offset, blob);
      const pointer = readLfsPointer(blob);
      if (pointer !== null) found.set(pointer.oid, pointer);
    }
    offset = bodyAt + consumed;
  }
}

/** The content of an entry if it is a small blob, or null. */
function blobOf(
  header: EntryHeader,
  bytes: Uint8Array,
  offset: number,
  bases: ReturnType<typeof createPayloadCache>,
): Uint8Array | null {
  if (header.kind === BLOB) return bytes.length <= LARGEST_BASE ? bytes : null;
  if (header.kind !== OFS_DELTA) return null;
  const base = bases.get(offset - header.baseDistance);
  if (base === undefined) return null;
  const delta = readDeltaHeader(bytes, offset);
  return delta.resultSize <= LARGEST_BASE ? applyDelta(base, bytes, delta, offset) : null;
}

async function inflateAt(reader: PackReader, at: number, size: number): Promise<Inflated> {
  // Compressors other than zlib may exceed its bound.
  for (let length = compressedBound(size); ; length *= 2) {
    const input = reader.peek(at, length) ?? (await reader.load(at, length));
    const inflated = inflateEntry(input.subarray(0, length), size, at);
    if (inflated !== null) return inflated;
    if (input.length < length || length > compressedBound(size) * 4 + 4096) {
      throw new GitPackError("malformed", "The compressed bytes of an object do not end", at);
    }
  }
}

function ignore(): void {}

type Feed = {
  reader: PackReader;
  push(chunk: Uint8Array): Promise<void>;
  /** No more bytes will come. */
  end(): void;
  /** Discards all further bytes. */
  drain(): void;
};

/**
 * Connects pushed bytes to a pulling reader. Positions before the reader's last request are gone. For the reader, the
 * pack ends after `mostBytes`, or at the end of the chunk that goes beyond.
 */
function createFeed(mostBytes: number): Feed {
  let window: Uint8Array = new Uint8Array(0);
  let windowAt = 0;
  let isOver = false;
  let pushed = 0;
  /** Releases the current chunk. */
  let taken: () => void = ignore;
  /** Wakes the reader that waits for the next chunk. */
  let arrived: () => void = ignore;

  /** Copies the rest of the current chunk, releases the chunk, and waits for the next one. */
  async function more(from: number): Promise<void> {
    window = window.slice(Math.min(window.length, from - windowAt));
    windowAt = from;
    const next = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    taken();
    await next;
  }
  function view(offset: number): Uint8Array {
    return window.subarray(Math.max(0, offset - windowAt));
  }

  return {
    push(chunk) {
      if (isOver) return Promise.resolve();
      if (pushed >= mostBytes) {
        isOver = true;
        arrived();
        return Promise.resolve();
      }
      pushed += chunk.length;
      window = window.length === 0 ? chunk : concatBytes(window, chunk);
      const promise = new Promise<void>((resolve) => {
        taken = resolve;
      });
      arrived();
      return promise;
    },
    end() {
      isOver = true;
      arrived();
    },
    drain() {
      isOver = true;
      window = new Uint8Array(0);
      taken();
    },
    reader: {
      size: Number.POSITIVE_INFINITY,
      peek(offset, length) {
        const bytes = view(offset);
        return bytes.length >= length ? bytes : null;
      },
      async load(offset, length) {
        while (view(offset).length < length && !isOver) await more(offset);
        return view(offset);
      },
      readAhead: ignore,
    },
  };
}
