import { Buffer } from "node:buffer";
import { readDeltaHeader } from "./apply-delta.ts";
import { GitPackError } from "./git-pack-error.ts";
import { type GitObjectType, oidLength } from "./object-format.ts";
import {
  BLOB,
  COMMIT,
  inflateEntry,
  inflateLargeEntry,
  LONGEST_HEADER,
  REF_DELTA,
  readEntryHeader,
  TAG,
  TREE,
} from "./pack-entry.ts";
import type { PackReader } from "./pack-source.ts";
import { isDelta, type PackState } from "./pack-state.ts";
import {
  checkInMemory,
  isLarge,
  makeFromDelta,
  OBJECTS_PER_STEP,
  type PackWork,
  settleBlobFromDelta,
  settleObject,
  spendExpansion,
} from "./pack-work.ts";

/** Finds an object in the earlier packs by its hexadecimal name. */
export type FindOutside = (oid: string) => Promise<{ type: GitObjectType; bytes: Uint8Array } | null>;

const TYPE_NUMBERS: Record<GitObjectType, number> = { commit: COMMIT, tree: TREE, blob: BLOB, tag: TAG };

/**
 * Names the deltas that the scan left unresolved. Resolves bases before their deltas, without recursion, and holds
 * only as many plain objects as the cache allows; rebuilds a dropped one from its chain.
 *
 * @returns whether every object has its name
 * @throws GitPackError `missing-base` when a base is in no pack
 */
export async function resolveDeltas(work: PackWork, findOutside: FindOutside | null): Promise<boolean> {
  const { state } = work;
  if (state.resolved === state.count) return true;
  work.reader.readAhead(1);
  const family = createFamily(state);
  const stack: number[] = [];
  let steps = 0;

  async function drain(): Promise<boolean> {
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      if (state.types[next] === 0) {
        await resolveOne(work, next, { findOutside, isBase: family.hasChildren(next) });
        if (++steps % OBJECTS_PER_STEP === 0) {
          work.onStep(state.resolved, state.count);
          if (work.until()) return false;
        }
      }
      family.children(next, stack);
    }
    return true;
  }

  for (let root = 0; root < state.count; root++) {
    const isRoot = !isDelta(state.kinds[root]) || state.outsideBases.has(root);
    if (!isRoot || state.types[root] === 0) continue;
    family.children(root, stack);
    if (stack.length > 0 && !(await drain())) return state.resolved === state.count;
  }
  for (const oid of family.waiting()) {
    if (findOutside === null || (await findOutside(oid)) === null) continue;
    for (const index of family.take(oid)) {
      state.outsideBases.set(index, oid);
      stack.push(index);
    }
    if (!(await drain())) return state.resolved === state.count;
  }
  if (state.resolved < state.count) {
    const [missing = "unknown"] = family.waiting();
    throw new GitPackError(
      "missing-base",
      `A delta leans on the object ${missing}, which is nowhere to be found`,
    );
  }
  return true;
}

type Family = {
  /** Whether a known delta has this object as its base. */
  hasChildren(index: number): boolean;
  /** Pushes the deltas of this base onto the stack. */
  children(index: number, stack: number[]): void;
  /** Names of bases that are not found yet. */
  waiting(): string[];
  /** Takes the deltas that wait for a base. */
  take(oid: string): number[];
};

/** Maps bases to their deltas: by number if the base is known, by name for REF_DELTAs whose base is not found yet. */
function createFamily(state: PackState): Family {
  const width = oidLength(state.objectFormat);
  const firstChild = new Int32Array(state.count).fill(-1);
  const nextSibling = new Int32Array(state.count).fill(-1);
  const byName = new Map<string, number[]>();
  const nameOf = (index: number) =>
    Buffer.from(state.oids.buffer, state.oids.byteOffset + index * width, width).toString("hex");

  for (let index = state.count - 1; index >= 0; index--) {
    const base = state.bases[index]!;
    if (base >= 0) {
      nextSibling[index] = firstChild[base]!;
      firstChild[base] = index;
    } else if (state.kinds[index] === REF_DELTA && state.types[index] === 0) {
      const name = nameOf(index);
      const others = byName.get(name);
      if (others === undefined) byName.set(name, [index]);
      else others.push(index);
    }
  }

  function take(oid: string): number[] {
    const indexes = byName.get(oid) ?? [];
    byName.delete(oid);
    return indexes;
  }

  return {
    hasChildren: (index) => firstChild[index]! >= 0,
    children(index, stack) {
      for (let child = firstChild[index]!; child >= 0; child = nextSibling[child]!) stack.push(child);
      if (byName.size === 0) return;
      for (const child of take(nameOf(index))) {
        state.bases[child] = index;
        stack.push(child);
      }
    },
    waiting: () => [...byName.keys()],
    take,
  };
}

async function resolveOne(
  work: PackWork,
  index: number,
  { findOutside, isBase }: { findOutside: FindOutside | null; isBase: boolean },
): Promise<void> {
  const { state } = work;
  const { base, type } = await basePayload(work, index, findOutside);
  const delta = await inflateByIndex(work, index, base.length);
  const offset = state.offsets[index]!;
  const header = readDeltaHeader(delta, offset);
  if (type === BLOB && !isBase && header.resultSize > work.limits.streamAboveBytes) {
    settleBlobFromDelta(work, index, { base, delta, header });
    return;
  }
  const payload = makeFromDelta(work, base, delta, offset);
  settleObject(work, index, type, payload);
  work.cache.set(index, payload);
}

async function basePayload(
  work: PackWork,
  index: number,
  findOutside: FindOutside | null,
): Promise<{ base: Uint8Array; type: number }> {
  const { state } = work;
  const outside = state.outsideBases.get(index);
  if (outside === undefined) {
    const base = state.bases[index]!;
    return { base: await payloadOf(work, base, findOutside), type: state.types[base]! };
  }
  const found = await findOutside?.(outside);
  if (!found) throw new GitPackError("missing-base", `The object ${outside} is no longer found`);
  return { base: found.bytes, type: TYPE_NUMBERS[found.type] };
}

/** Plain bytes of an object: from the cache, or rebuilt from the nearest available base. */
async function payloadOf(
  work: PackWork,
  index: number,
  findOutside: FindOutside | null,
): Promise<Uint8Array> {
  const { state, cache } = work;
  const chain: number[] = [];
  let payload: Uint8Array | undefined;
  let link = index;
  for (;;) {
    payload = cache.get(link);
    if (payload !== undefined) break;
    if (!isDelta(state.kinds[link])) {
      payload = await inflateByIndex(work, link);
      cache.set(link, payload);
      break;
    }
    chain.push(link);
    if (state.outsideBases.has(link)) {
      payload = (await basePayload(work, link, findOutside)).base;
      break;
    }
    link = state.bases[link]!;
    if (chain.length > state.count)
      throw new GitPackError("malformed", "Deltas lean on each other in a circle");
  }
  for (let next = chain.pop(); next !== undefined; next = chain.pop()) {
    const delta = await inflateByIndex(work, next, payload.length);
    payload = makeFromDelta(work, payload, delta, state.offsets[next]!);
    cache.set(next, payload);
  }
  return payload;
}

/**
 * Inflates an entry at a known position: an object or a delta.
 *
 * @param beside Number of bytes in memory at the same time.
 */
async function inflateByIndex(work: PackWork, index: number, beside = 0): Promise<Uint8Array> {
  const { state, reader } = work;
  const kept = work.deltas.get(index);
  if (kept !== null) return kept;
  const width = oidLength(state.objectFormat);
  const offset = state.offsets[index]!;
  const end = index + 1 < state.count ? state.offsets[index + 1]! : state.packSize - width;
  const start = reader.peek(offset, LONGEST_HEADER) ?? (await reader.load(offset, LONGEST_HEADER));
  const header = readEntryHeader(start.subarray(0, end - offset), width, offset);
  checkInMemory(work, beside + header.size, offset);
  spendExpansion(work, header.size);
  if (isLarge(work, header.size)) {
    work.cache.clear();
    return inflateWhole(reader, { offset: offset + header.headerLength, size: header.size, end });
  }
  const length = Math.max(end - offset, LONGEST_HEADER);
  const raw = (reader.peek(offset, length) ?? (await reader.load(offset, length))).subarray(0, end - offset);
  const inflated = inflateEntry(raw.subarray(header.headerLength), header.size, offset);
  if (inflated === null)
    throw new GitPackError("malformed", "The compressed bytes of an object do not end", offset);
  return inflated.bytes;
}

/** Inflates a large object in pieces into one array, so that its compressed bytes take no extra memory. */
async function inflateWhole(
  reader: PackReader,
  entry: { offset: number; size: number; end: number },
): Promise<Uint8Array> {
  const bytes = new Uint8Array(entry.size);
  let used = 0;
  const take = (plain: Uint8Array) => {
    bytes.set(plain, used);
    used += plain.length;
  };
  await inflateLargeEntry(reader, entry, take, () => undefined, 0);
  return bytes;
}
