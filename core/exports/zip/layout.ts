/**
 * Plans a ZIP before any of its bytes are read: the sizes and checksums of all entries were recorded at backup time, so
 * every offset is known. The archive is a pure function of its layout, which gives its length, ranges and parts without
 * data descriptors. Format: PKWARE APPNOTE 6.3.
 */
import { utf8 } from "#core/kernel/crypto.ts";
import { invariant } from "#core/kernel/invariant.ts";

const LIMIT_32 = 0xffff_ffff;
const LIMIT_16 = 0xffff;
const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
const TIME_BYTES = 9;
const UTF8_NAMES = 0x0800;
const REGULAR_FILE = 0o100644;
const DIRECTORY = 0o040755;
const MADE_ON_UNIX = 3;

/** One file of the archive; a path that ends in `/` is a directory. */
export type ZipEntry = {
  path: string;
  /** 0 stored, 8 raw deflate. */
  method: 0 | 8;
  /** CRC-32 of the uncompressed bytes. */
  crc32: number;
  /** Compressed size, as stored in the archive. */
  compressedSize: number;
  /** Uncompressed size. */
  size: number;
  /** Epoch milliseconds. */
  mtime: number;
};

/** Consecutive files of an archive that are in memory together. */
export type ZipPart = {
  /** Index of the first file. */
  first: number;
  /** Offset of its local header. */
  offset: number;
  /** Offset of its central header. */
  centralOffset: number;
};

/** Where everything in an archive is. The files themselves are read part by part, so their number costs no memory. */
export type ZipPlan = {
  /** Number of files. */
  count: number;
  parts: readonly ZipPart[];
  /** The files of a part, by its index. */
  entriesOf(part: number): readonly ZipEntry[] | Promise<readonly ZipEntry[]>;
  /** Offset of the central directory. */
  centralStart: number;
  /** Offset of the end records. */
  centralEnd: number;
  /** Length of the whole archive. */
  totalBytes: number;
};

/** An archive of few files, all of them in memory. */
export type ZipLayout = ZipPlan & {
  entries: readonly ZipEntry[];
  /** Offset of each entry's local header, followed by the offset of the central directory. */
  offsets: Float64Array;
  /** Offset of each entry's central header, followed by the offset of the end records. */
  centralOffsets: Float64Array;
};

/** The bytes from `from` up to, but not including, `to`. */
export type ZipRange = { from: number; to: number };

/** Reads the bytes of an entry as stored in the archive. A chunk is valid until the next one is read. */
export type EntryReader = (
  index: number,
  range: { offset: number; length: number },
) => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Counts the bytes of an archive while its files become known, one after another. */
export type ZipCounter = {
  /** Returns where the file's headers are; the central one from the start of the central directory. */
  add(entry: ZipEntry): { offset: number; centralOffset: number };
  /** What is known of the archive when all files are counted. */
  end(): Pick<ZipPlan, "count" | "centralStart" | "centralEnd" | "totalBytes">;
};

/** Starts an archive. Paths must already be safe and unique (`safe-names.ts`). */
export function countZip(): ZipCounter {
  let [count, offset, centralOffset] = [0, 0, 0];
  return {
    add(entry) {
      assertEntry(entry);
      const place = { offset, centralOffset };
      count += 1;
      offset += localBytes(entry);
      centralOffset += centralBytes(entry, place.offset);
      return place;
    },
    end() {
      const plan = { count, centralStart: offset, centralEnd: offset + centralOffset };
      return { ...plan, totalBytes: plan.centralEnd + endRecords(plan).length };
    },
  };
}

/** Plans the offset of every byte of an archive of few files. */
export function planZip(entries: readonly ZipEntry[]): ZipLayout {
  const offsets = new Float64Array(entries.length + 1);
  const centralOffsets = new Float64Array(entries.length + 1);
  const counter = countZip();
  for (const [i, entry] of entries.entries()) {
    const { offset, centralOffset } = counter.add(entry);
    offsets[i] = offset;
    centralOffsets[i] = centralOffset;
  }
  const plan = counter.end();
  for (let i = 0; i < entries.length; i++) centralOffsets[i]! += plan.centralStart;
  offsets[entries.length] = plan.centralStart;
  centralOffsets[entries.length] = plan.centralEnd;
  const parts = [{ first: 0, offset: 0, centralOffset: plan.centralStart }];
  return { ...plan, entries, offsets, centralOffsets, parts, entriesOf: () => entries };
}

/**
 * Yields the bytes of a range. Reads only the entries that overlap it. A chunk is valid until the next one is read.
 * @throws when a reader returns too few or too many bytes
 */
export async function* zipRange(
  plan: ZipPlan,
  { from, to }: ZipRange,
  readEntry: EntryReader,
): AsyncGenerator<Uint8Array, void> {
  const { parts, centralStart, centralEnd, totalBytes } = plan;
  const isInside = from >= 0 && from <= to && to <= totalBytes;
  invariant(isInside, `${from} to ${to} lies outside the ${totalBytes} bytes of the archive`);
  const clip = (bytes: Uint8Array, at: number) => clipped(bytes, at, { from, to });
  const isBehind = (at: number) => at >= to;
  for (let i = partAt(parts, (part) => part.offset, from); i < parts.length && from < centralStart; i++) {
    const { first } = parts[i]!;
    let at = parts[i]!.offset;
    if (isBehind(at)) break;
    for (const [k, entry] of (await plan.entriesOf(i)).entries()) {
      if (isBehind(at)) break;
      const end = at + localBytes(entry);
      if (end > from) {
        const header = localHeader(entry);
        yield* clip(header, at);
        const start = at + header.length;
        const offset = Math.max(from - start, 0);
        const length = Math.min(to - start, entry.compressedSize) - offset;
        if (length > 0) yield* exactly(readEntry(first + k, { offset, length }), length, entry.path);
      }
      at = end;
    }
  }
  for (
    let i = partAt(parts, (part) => part.centralOffset, from);
    i < parts.length && to > centralStart;
    i++
  ) {
    let { offset, centralOffset: at } = parts[i]!;
    if (isBehind(at) || from >= centralEnd) break;
    for (const entry of await plan.entriesOf(i)) {
      if (isBehind(at)) break;
      const end = at + centralBytes(entry, offset);
      if (end > from) yield* clip(centralHeader(entry, offset), at);
      at = end;
      offset += localBytes(entry);
    }
  }
  yield* clip(endRecords(plan), centralEnd);
}

function localBytes(entry: ZipEntry): number {
  return LOCAL_BYTES + behindHeader(entry, largeSizes(entry)) + entry.compressedSize;
}

function centralBytes(entry: ZipEntry, offset: number): number {
  return CENTRAL_BYTES + behindHeader(entry, largeNumbers(entry, offset));
}

/** Index of the last part that begins at or before the place; 0 when there is none. */
export function partAt(parts: readonly ZipPart[], beginOf: (part: ZipPart) => number, place: number): number {
  let low = 0;
  let high = parts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (beginOf(parts[middle]!) <= place) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** The part of `bytes`, which start at `at`, that is inside the range. */
function* clipped(bytes: Uint8Array, at: number, { from, to }: ZipRange): Generator<Uint8Array> {
  const start = Math.max(from - at, 0);
  const end = Math.min(to - at, bytes.length);
  if (start < end) yield bytes.subarray(start, end);
}

/** Passes chunks through and throws on a wrong length, which would shift everything after it. */
async function* exactly(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  length: number,
  path: string,
): AsyncGenerator<Uint8Array> {
  let rest = length;
  for await (const chunk of chunks) {
    rest -= chunk.length;
    invariant(rest >= 0, `${path} is longer than the archive's layout says`);
    if (chunk.length > 0) yield chunk;
  }
  invariant(rest === 0, `${path} is ${rest} bytes shorter than the archive's layout says`);
}

function assertEntry(entry: ZipEntry): void {
  const isSound = entry.path.length > 0 && entry.path.isWellFormed() && utf8(entry.path).length <= LIMIT_16;
  invariant(isSound, `the archive cannot name ${JSON.stringify(entry.path.slice(0, 100))}`);
  invariant(
    entry.method === 8 || entry.compressedSize === entry.size,
    `${entry.path} is stored with two sizes`,
  );
  invariant(!entry.path.endsWith("/") || entry.compressedSize === 0, `the directory ${entry.path} has bytes`);
}

/** The sizes that need 64 bits: both or neither, in the order of the ZIP64 field (4.5.3). */
function largeSizes({ size, compressedSize }: ZipEntry): number[] {
  return size >= LIMIT_32 || compressedSize >= LIMIT_32 ? [size, compressedSize] : [];
}

/** The same for a central header, which also contains the entry's offset. */
function largeNumbers(entry: ZipEntry, offset: number): number[] {
  return offset >= LIMIT_32 ? [...largeSizes(entry), offset] : largeSizes(entry);
}

/** Length of the variable part of a header, so that a layout can be planned without writing headers. */
function behindHeader(entry: ZipEntry, large: readonly number[]): number {
  return utf8(entry.path).length + extraBytes(large);
}

function extraBytes(large: readonly number[]): number {
  return TIME_BYTES + (large.length > 0 ? 4 + 8 * large.length : 0);
}

function localHeader(entry: ZipEntry): Uint8Array {
  const name = utf8(entry.path);
  const large = largeSizes(entry);
  const isLarge = large.length > 0;
  const bytes = byteWriter(LOCAL_BYTES + name.length + extraBytes(large));
  bytes.u32(0x04034b50);
  bytes.u16(isLarge ? 45 : 20);
  writeCommon(bytes, entry, isLarge ? [LIMIT_32, LIMIT_32] : [entry.compressedSize, entry.size]);
  bytes.u16(name.length);
  bytes.u16(extraBytes(large));
  bytes.raw(name);
  writeExtraFields(bytes, entry, large);
  return bytes.done();
}

function centralHeader(entry: ZipEntry, offset: number): Uint8Array {
  const name = utf8(entry.path);
  const isLarge = largeSizes(entry).length > 0;
  const isFar = offset >= LIMIT_32;
  const large = largeNumbers(entry, offset);
  const isDirectory = entry.path.endsWith("/");
  const bytes = byteWriter(CENTRAL_BYTES + name.length + extraBytes(large));
  bytes.u32(0x02014b50);
  bytes.u16((MADE_ON_UNIX << 8) | 45);
  bytes.u16(isLarge || isFar ? 45 : 20);
  writeCommon(bytes, entry, isLarge ? [LIMIT_32, LIMIT_32] : [entry.compressedSize, entry.size]);
  bytes.u16(name.length);
  bytes.u16(extraBytes(large));
  bytes.u16(0);
  bytes.u16(0);
  bytes.u16(0);
  bytes.u32((((isDirectory ? DIRECTORY : REGULAR_FILE) << 16) | (isDirectory ? 0x10 : 0)) >>> 0);
  bytes.u32(isFar ? LIMIT_32 : offset);
  bytes.raw(name);
  writeExtraFields(bytes, entry, large);
  return bytes.done();
}

/** Writes flags, method, time, checksum and the two sizes, which are the same in both headers. */
function writeCommon(bytes: ByteWriter, entry: ZipEntry, [compressed, plain]: number[]): void {
  const { time, date } = dosTime(entry.mtime);
  bytes.u16(UTF8_NAMES);
  bytes.u16(entry.method);
  bytes.u16(time);
  bytes.u16(date);
  bytes.u32(entry.crc32);
  bytes.u32(compressed!);
  bytes.u32(plain!);
}

/** Writes the ZIP64 numbers, if any, and the exact time in UTC. */
function writeExtraFields(bytes: ByteWriter, entry: ZipEntry, large: readonly number[]): void {
  if (large.length > 0) {
    bytes.u16(0x0001);
    bytes.u16(8 * large.length);
    for (const number of large) bytes.u64(number);
  }
  bytes.u16(0x5455);
  bytes.u16(5);
  bytes.u8(1);
  bytes.u32(Math.min(Math.max(Math.floor(entry.mtime / 1000), 0), 0x7fff_ffff));
}

/** The end of central directory record, preceded by the ZIP64 records when a number does not fit. */
function endRecords(plan: Pick<ZipPlan, "count" | "centralStart" | "centralEnd">): Uint8Array {
  const { count, centralStart: start } = plan;
  const size = plan.centralEnd - start;
  const hasZip64 = count >= LIMIT_16 || start >= LIMIT_32 || size >= LIMIT_32;
  const bytes = byteWriter(hasZip64 ? 56 + 20 + 22 : 22);
  if (hasZip64) {
    bytes.u32(0x06064b50);
    bytes.u64(44);
    bytes.u16((MADE_ON_UNIX << 8) | 45);
    bytes.u16(45);
    bytes.u32(0);
    bytes.u32(0);
    bytes.u64(count);
    bytes.u64(count);
    bytes.u64(size);
    bytes.u64(start);
    bytes.u32(0x07064b50);
    bytes.u32(0);
    bytes.u64(start + size);
    bytes.u32(1);
  }
  bytes.u32(0x06054b50);
  bytes.u16(0);
  bytes.u16(0);
  bytes.u16(Math.min(count, LIMIT_16));
  bytes.u16(Math.min(count, LIMIT_16));
  bytes.u32(Math.min(size, LIMIT_32));
  bytes.u32(Math.min(start, LIMIT_32));
  bytes.u16(0);
  return bytes.done();
}

/** DOS time has two-second steps and begins in 1980; it is written in UTC. */
function dosTime(mtime: number): { time: number; date: number } {
  const at = new Date(Math.max(mtime, Date.UTC(1980, 0, 1)));
  const year = Math.min(at.getUTCFullYear() - 1980, 127);
  return {
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    date: (year << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  };
}

type ByteWriter = ReturnType<typeof byteWriter>;

/** Writes little-endian numbers one after another, exactly `length` bytes in total. */
function byteWriter(length: number) {
  const buffer = new Uint8Array(length);
  const view = new DataView(buffer.buffer);
  let used = 0;
  return {
    u8: (value: number) => {
      view.setUint8(used, value);
      used += 1;
    },
    u16: (value: number) => {
      view.setUint16(used, value, true);
      used += 2;
    },
    u32: (value: number) => {
      view.setUint32(used, value, true);
      used += 4;
    },
    u64: (value: number) => {
      view.setBigUint64(used, BigInt(value), true);
      used += 8;
    },
    raw: (bytes: Uint8Array) => {
      buffer.set(bytes, used);
      used += bytes.length;
    },
    done: () => {
      invariant(used === length, `a header has ${used} bytes, not ${length}`);
      return buffer;
    },
  };
}
