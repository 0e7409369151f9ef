import { createHash } from "node:crypto";
import { toHex } from "#core/kernel/crypto.ts";
import { applyDelta, type DeltaHeader, readDeltaHeader, runDelta } from "./apply-delta.ts";
import type { DeltaStore } from "./delta-store.ts";
import { GitPackError } from "./git-pack-error.ts";
import { collectReferences, readLfsPointer } from "./object-facts.ts";
import { type ObjectFormat, oidLength } from "./object-format.ts";
import { BLOB } from "./pack-entry.ts";
import { expansionBudget, type PackLimits } from "./pack-limits.ts";
import type { PackReader } from "./pack-source.ts";
import type { PackState } from "./pack-state.ts";
import type { PayloadCache } from "./payload-cache.ts";

/** What the steps of indexing share. */
export type PackWork = {
  state: PackState;
  reader: PackReader;
  cache: PayloadCache;
  deltas: DeltaStore;
  limits: PackLimits;
  /** Whether to stop after the current object. */
  until: () => boolean;
  onStep: (done: number, total: number) => void;
};

/** Number of objects between two checks of the budget. */
export const OBJECTS_PER_STEP = 128;

const TYPE_NAMES = ["", "commit", "tree", "blob", "tag"];
const MALFORMED_KEPT = 100;

/** Starts the hash of an object's name. */
export function startObjectHash(format: ObjectFormat, type: number, size: number) {
  return createHash(format).update(`${TYPE_NAMES[type]} ${size}\0`);
}

/** Counts inflated bytes against the pack's budget. @throws GitPackError `too-large` for a decompression bomb */
export function spendExpansion({ state, limits }: PackWork, bytes: number): void {
  state.expandedBytes += bytes;
  if (state.expandedBytes > expansionBudget(limits, state.packSize)) {
    throw new GitPackError("too-large", "The pack expands to far more than it may");
  }
}

/** Rejects objects that do not fit in memory. @throws GitPackError `too-large` */
export function checkInMemory({ limits }: PackWork, size: number, offset: number): void {
  if (size > limits.inMemoryBytes) {
    throw new GitPackError(
      "too-large",
      `An object that takes ${size} bytes is too large to be checked`,
      offset,
    );
  }
}

/** Names an object from its plain bytes and records its references and LFS pointer. */
export function settleObject(work: PackWork, index: number, type: number, payload: Uint8Array): void {
  const { state } = work;
  const name = startObjectHash(state.objectFormat, type, payload.length).update(payload).digest();
  settleName(work, index, type, name);
  const width = oidLength(state.objectFormat);
  if (!collectReferences(type, payload, width, state.references) && state.malformed.length < MALFORMED_KEPT) {
    state.malformed.push(toHex(name));
  }
  if (type === BLOB) {
    const pointer = readLfsPointer(payload);
    if (pointer !== null) state.lfs.set(pointer.oid, pointer);
  }
}

/** Records the name of an object. */
export function settleName({ state }: PackWork, index: number, type: number, name: Uint8Array): void {
  state.oids.set(name, index * oidLength(state.objectFormat));
  state.types[index] = type;
  state.resolved += 1;
}

/** Builds the object that a delta describes, within the limits. @throws GitPackError */
export function makeFromDelta(
  work: PackWork,
  base: Uint8Array,
  delta: Uint8Array,
  offset: number,
): Uint8Array {
  const header = readDeltaHeader(delta, offset);
  const together = base.length + delta.length + header.resultSize;
  checkInMemory(work, together, offset);
  spendExpansion(work, header.resultSize);
  if (isLarge(work, together)) work.cache.clear();
  return applyDelta(base, delta, header, offset);
}

/** Names a large blob that a delta describes, in pieces, because nothing else needs its bytes. */
export function settleBlobFromDelta(
  work: PackWork,
  index: number,
  from: { base: Uint8Array; delta: Uint8Array; header: DeltaHeader },
): void {
  const { base, delta, header } = from;
  const offset = work.state.offsets[index]!;
  spendExpansion(work, header.resultSize);
  const name = startObjectHash(work.state.objectFormat, BLOB, header.resultSize);
  runDelta(base, delta, header, offset, (source, start, length) => {
    name.update(source.subarray(start, start + length));
  });
  settleName(work, index, BLOB, name.digest());
}

/** Whether this many bytes need the cache's memory. */
export function isLarge({ limits }: PackWork, bytes: number): boolean {
  return bytes > limits.cacheBytes / 2;
}
