import { createHash, type Hash } from "node:crypto";
import { crc32 } from "node:zlib";
import { equalBytes } from "#core/kernel/crypto.ts";
import { readDeltaHeader } from "./apply-delta.ts";
import { GitPackError } from "./git-pack-error.ts";
import { oidLength } from "./object-format.ts";
import {
  BLOB,
  compressedBound,
  type EntryHeader,
  type Inflated,
  inflateEntry,
  inflateLargeEntry,
  LONGEST_HEADER,
  OFS_DELTA,
  REF_DELTA,
  readEntryHeader,
} from "./pack-entry.ts";
import type { PackReader } from "./pack-source.ts";
import { isDelta, type PackState } from "./pack-state.ts";
import {
  checkInMemory,
  isLarge,
  makeFromDelta,
  OBJECTS_PER_STEP,
  type PackWork,
  settleName,
  settleObject,
  spendExpansion,
  startObjectHash,
} from "./pack-work.ts";

const READ_AHEAD_BLOCKS = 4;

/**
 * Reads the pack sequentially. Finds the position of every entry, its CRC-32 and, unless it is a delta whose base is
 * no longer in memory, its name. Also hashes the whole pack.
 *
 * @returns whether the end was reached
 * @throws GitPackError
 */
export async function scanPack(work: PackWork): Promise<boolean> {
  const { state, reader } = work;
  const packHash = state.scanned === 0 && !state.isScanBroken ? createHash(state.objectFormat) : null;
  packHash?.update((await reader.load(0, state.position)).subarray(0, state.position));
  reader.readAhead(READ_AHEAD_BLOCKS);
  while (state.scanned < state.count) {
    await scanEntry(work, packHash);
    if (state.scanned % OBJECTS_PER_STEP === 0 || state.scanned === state.count) {
      work.onStep(state.scanned, state.count);
      if (work.until() && state.scanned < state.count) return false;
    }
  }
  const trailerAt = state.packSize - oidLength(state.objectFormat);
  if (state.position !== trailerAt) {
    throw new GitPackError("malformed", "The pack holds more than the objects it counts", state.position);
  }
  if (packHash !== null) await compareTrailer(reader, state, packHash.digest());
  else await checkWholeHash(reader, state);
  return true;
}

async function scanEntry(work: PackWork, packHash: Hash | null): Promise<void> {
  const { state, reader } = work;
  const width = oidLength(state.objectFormat);
  const offset = state.position;
  const end = state.packSize - width;
  const index = state.scanned;
  const start = reader.peek(offset, LONGEST_HEADER) ?? (await reader.load(offset, LONGEST_HEADER));
  const header = readEntryHeader(start.subarray(0, Math.max(0, end - offset)), width, offset);
  state.offsets[index] = offset;
  state.kinds[index] = header.kind;
  if (header.kind === OFS_DELTA) state.bases[index] = findBase(state, index, offset - header.baseDistance);
  const bodyAt = offset + header.headerLength;

  if (header.kind === BLOB && header.size > work.limits.streamAboveBytes) {
    const raw = start.slice(0, header.headerLength);
    await scanLargeBlob(work, packHash, raw, { offset: bodyAt, size: header.size, end });
  } else {
    checkInMemory(work, header.size, offset);
    if (isLarge(work, header.size)) work.cache.clear();
    spendExpansion(work, header.size);
    const { bytes, consumed } = await inflateAt(reader, bodyAt, header.size, end);
    const length = header.headerLength + consumed;
    const raw = (reader.peek(offset, length) ?? (await reader.load(offset, length))).subarray(0, length);
    state.crcs[index] = crc32(raw);
    packHash?.update(raw);
    state.position = offset + length;
    settleEntry(work, index, header, raw, bytes);
  }
  state.scanned += 1;
}

/** Names the object at once if its bytes, or those of its base, are in memory; a delta may also wait. */
function settleEntry(
  work: PackWork,
  index: number,
  header: EntryHeader,
  raw: Uint8Array,
  bytes: Uint8Array,
): void {
  const { state, cache } = work;
  if (!isDelta(header.kind)) {
    settleObject(work, index, header.kind, bytes);
    cache.set(index, bytes);
    return;
  }
  work.deltas.put(index, bytes);
  if (header.kind === REF_DELTA) {
    const width = oidLength(state.objectFormat);
    state.oids.set(raw.subarray(header.baseNameAt, header.baseNameAt + width), index * width);
    return;
  }
  const baseIndex = state.bases[index]!;
  const offset = state.offsets[index]!;
  const base = state.types[baseIndex] === 0 ? undefined : cache.get(baseIndex);
  if (base === undefined || readDeltaHeader(bytes, offset).resultSize > work.limits.streamAboveBytes) return;
  const payload = makeFromDelta(work, base, bytes, offset);
  settleObject(work, index, state.types[baseIndex]!, payload);
  cache.set(index, payload);
}

/** Inflates the entry's bytes, reading more of the pack if they continue beyond what is in memory. */
async function inflateAt(reader: PackReader, at: number, size: number, end: number): Promise<Inflated> {
  const bound = Math.min(compressedBound(size), end - at);
  const near = (reader.peek(at, 1) ?? (await reader.load(at, 1))).subarray(0, bound);
  const first = inflateEntry(near, size, at);
  if (first !== null) return first;
  // Compressors other than zlib may exceed its bound.
  for (let length = bound; ; length = Math.min(length * 2, end - at)) {
    const input = (await reader.load(at, length)).subarray(0, length);
    const inflated = inflateEntry(input, size, at);
    if (inflated !== null) return inflated;
    if (length >= end - at || length > bound * 4 + 4096) {
      throw new GitPackError("malformed", "The compressed bytes of an object do not end", at);
    }
  }
}

async function scanLargeBlob(
  work: PackWork,
  packHash: Hash | null,
  rawHeader: Uint8Array,
  entry: { offset: number; size: number; end: number },
): Promise<void> {
  const { state, reader } = work;
  const name = startObjectHash(state.objectFormat, BLOB, entry.size);
  packHash?.update(rawHeader);
  const { consumed, crc } = await inflateLargeEntry(
    reader,
    entry,
    (plain) => {
      name.update(plain);
      spendExpansion(work, plain.length);
    },
    (raw) => packHash?.update(raw),
    crc32(rawHeader),
  );
  state.crcs[state.scanned] = crc;
  state.position = entry.offset + consumed;
  settleName(work, state.scanned, BLOB, name.digest());
}

/** The number of the entry at the offset: OFS_DELTA bases always precede their deltas. */
function findBase(state: PackState, before: number, offset: number): number {
  let low = 0;
  let high = before - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = state.offsets[middle]!;
    if (found === offset) return middle;
    if (found < offset) low = middle + 1;
    else high = middle - 1;
  }
  throw new GitPackError("malformed", "A delta leans on a place where no object begins", state.position);
}

/** Hashes the pack again after an interrupted scan, because the state of a hash cannot be saved. */
async function checkWholeHash(reader: PackReader, state: PackState): Promise<void> {
  const hash = createHash(state.objectFormat);
  const end = state.packSize - oidLength(state.objectFormat);
  for (let at = 0; at < end; ) {
    const piece = (reader.peek(at, 1) ?? (await reader.load(at, 1))).subarray(0, end - at);
    hash.update(piece);
    at += piece.length;
  }
  await compareTrailer(reader, state, hash.digest());
}

async function compareTrailer(reader: PackReader, state: PackState, hash: Uint8Array): Promise<void> {
  const width = oidLength(state.objectFormat);
  const at = state.packSize - width;
  const trailer = (await reader.load(at, width)).subarray(0, width);
  if (!equalBytes(hash, trailer)) {
    throw new GitPackError("checksum", "The pack does not match its own checksum", at);
  }
}
