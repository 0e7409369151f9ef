import { crc32 } from "node:zlib";
import { z } from "zod";
import { canonicalJson, type Json } from "#core/kernel/canonical-json.ts";
import { utf8 } from "#core/kernel/crypto.ts";
import { invariant } from "#core/kernel/invariant.ts";
import { storedJson, UnreadableCursorError } from "#core/kernel/stored-json.ts";
import { keptEvents, mergeWithPrevious } from "./draft-merge.ts";
import {
  type DraftEvent,
  type DraftState,
  mergeEvents,
  readSegment,
  readSegmentState,
  segmentRefSchema,
  writeSegment,
} from "./draft-segments.ts";
import { objectKey } from "./format.ts";
import { hasSameContent } from "./manifest.ts";
import { type ManifestReader, openManifest } from "./manifest-reader.ts";
import { createManifestWriter } from "./manifest-writer.ts";
import { assertPath, compareUtf8 } from "./paths.ts";
import { createPackWriter, hashOf } from "./record-pack.ts";
import { type EntryName, type StreamSink, storeStream } from "./store-stream.ts";
import type {
  Completeness,
  DraftCursor,
  DraftResult,
  Location,
  ManifestEntry,
  ManifestRef,
  ObjectScope,
} from "./types.ts";
import type { VaultDeps } from "./vault-deps.ts";
import { VaultError } from "./vault-error.ts";

const MAX_EVENTS_IN_MEMORY = 16_384;
const MAX_SEGMENTS = 6;
const MAX_SKIPPED = 1_000;
/** The list is stored in two rows of the ledger; a row holds at most two megabytes. */
const MAX_SKIPPED_BYTES = 500_000;
/** Maximum number of keys that R2 deletes in one call. */
const DISCARDED_AT_ONCE = 1_000;
const MAX_REMEMBERED_HASHES = 65_536;
const MAX_TITLE_LENGTH = 300;

/** A snapshot being written. For each path the last call wins. Calls must not overlap. */
export interface SnapshotDraft {
  /** Adds a record. A record whose content is already stored costs no bytes. */
  addRecord(record: EntryName & { value: Json }): Promise<void>;
  /**
   * Adds a stream. `write` is called exactly once. Bytes that the item already has are not stored again.
   * @throws VaultError `mismatch` when the bytes do not have the expected hash
   */
  addStream(
    stream: EntryName & { expectedHash?: string; optional?: boolean },
    write: (sink: StreamSink) => Promise<void>,
  ): Promise<void>;
  /**
   * Keeps an entry of the previous snapshot. @throws VaultError `missing` when the previous snapshot does not have it
   */
  keep(path: string): Promise<void>;
  /** Keeps every entry of the previous snapshot whose path starts with the prefix. */
  keepAll(prefix: string): void;
  drop(path: string): Promise<void>;
  /** Records something that could not be read. */
  skipped(skip: { path: string; kind: string; reason: string }): void;
  /** Records a count that the platform reports. */
  reported(kind: string, count: number): void;
  /** Makes everything so far durable. A draft resumed from the returned cursor continues exactly here. */
  checkpoint(): Promise<DraftCursor>;
  /** Sets a mark in memory for `rollBack`. It lasts until the next checkpoint. */
  mark(): void;
  /**
   * Undoes everything since the mark. Returns false, and changes nothing, when those events are no longer in memory.
   */
  rollBack(): boolean;
  /** Writes the manifest. The snapshot exists only once the caller has committed the result. */
  finish(facts: { apiVersion: string; account: string }): Promise<DraftResult>;
  /** Deletes the objects that only the draft needed. Call it after the commit. */
  discardTemporary(): Promise<void>;
  /** Abandons the draft and writes nothing more. Uploaded objects stay for a resumed draft or for prune. */
  abandon(): void;
}

/** The item and run of a draft, and where it continues. */
export type DraftOrder = {
  scope: ObjectScope;
  runId: string;
  /** The last good snapshot of the item. It must stay the same when a draft is resumed. */
  previous: ManifestRef | null;
  resume: DraftCursor | null;
};

/** The form of the cursor. Only the vault reads it. Its version also covers the contents of the segments. */
const checkpointForm = storedJson(1, z.strictObject({ segments: z.array(segmentRefSchema).min(1) }));

/**
 * Starts a snapshot or resumes an interrupted one. Memory is bounded: events are spilled to sorted segments and merged
 * with the previous manifest, chunk by chunk, at the end.
 * @throws UnreadableCursorError when it cannot resume from the cursor; VaultError
 */
export async function beginDraft(deps: VaultDeps, order: DraftOrder): Promise<SnapshotDraft> {
  const { scope, runId } = order;
  const previous = order.previous ? await openManifest(deps, { scope, ref: order.previous }) : null;
  const { state, segments } = await startingPoint(deps, order);
  const memory = new Map<string, DraftEvent>();
  /** Unchanged entries need no event, so a snapshot without changes writes nothing, however large it is. */
  const kept = new Uint32Array(previous?.root.entryCount ?? 0);
  const hashes = new Map<string, Location>();
  const onWritten = (object: { id: string; storedBytes: number }) => {
    state.written[object.id] = object.storedBytes;
  };
  const packs = createPackWriter(deps, { scope, runId, onWritten });
  let movable: ReadonlyMap<string, Location> | null = null;
  /** Undo steps since the mark, run in reverse order. Null = no mark is set, or a segment was written since. */
  let undo: (() => void)[] | null = null;
  let hasNews = false;
  let isOver = false;
  let skippedBytes = Buffer.byteLength(JSON.stringify(state.skipped));

  function begin(path?: string): void {
    invariant(!isOver, "the draft has already ended");
    if (path !== undefined) assertPath(path);
    hasNews = true;
  }

  /** Locations of the previous snapshot's records, for records whose path alone changed. Read on first use. */
  async function previousRecords(): Promise<ReadonlyMap<string, Location>> {
    movable ??= await locationsByHash(previous);
    return movable;
  }

  const sortedMemory = () => [...memory.values()].sort((a, b) => compareUtf8(a.path, b.path));

  async function note(path: string, entry: ManifestEntry | null): Promise<void> {
    const seq = ++state.seq;
    const old = entry && (await previous?.locate(path));
    if (old && hasSameContent(entry, old.entry)) {
      const { index } = old;
      const before = kept[index]!;
      undo?.push(() => {
        kept[index] = before;
      });
      kept[index] = seq;
      return;
    }
    const before = memory.get(path);
    undo?.push(() => (before ? memory.set(path, before) : memory.delete(path)));
    memory.set(path, { path, seq, entry });
    if (memory.size >= MAX_EVENTS_IN_MEMORY) await spill([sortedMemory()]);
  }

  /** Writes events to a segment. Merges all segments into one when there are too many. */
  async function spill(fresh: (AsyncIterable<DraftEvent> | Iterable<DraftEvent>)[]): Promise<void> {
    const isFull = segments.length >= MAX_SEGMENTS;
    const old = isFull ? segments.map((segment) => readSegment(deps, scope, segment)) : [];
    const segment = await writeSegment(
      deps,
      { scope, runId },
      { state, events: mergeEvents([...old, ...fresh]) },
    );
    if (isFull) segments.length = 0;
    segments.push(segment);
    state.temporary.push(segment.id);
    memory.clear();
    undo = null;
  }

  async function addRecord({ value, ...name }: EntryName & { value: Json }): Promise<void> {
    begin(name.path);
    const plain = utf8(canonicalJson(value));
    const hash = hashOf(plain);
    const old = await previous?.find(name.path);
    const facts = { ...namedEntry(name, "record"), hash, sizeBytes: plain.length };
    if (old?.type === "record" && old.hash === hash) {
      return note(name.path, { ...facts, crc32: old.crc32, where: old.where });
    }
    const known = hashes.get(hash) ?? (await previousRecords()).get(hash);
    if (known) return note(name.path, { ...facts, crc32: crc32(plain), where: known });
    const blob = await packs.add("record", plain, hash);
    if (hashes.size < MAX_REMEMBERED_HASHES) hashes.set(hash, blob.where);
    return note(name.path, { ...facts, crc32: blob.crc32, where: blob.where });
  }

  const addStream: SnapshotDraft["addStream"] = async (stream, write) => {
    begin(stream.path);
    const stored = await storeStream(deps, { ...order, previous, ...stream }, write);
    if (!stored) return;
    if (stored.writtenBytes > 0) state.written[stored.object] = stored.writtenBytes;
    const { object, writtenBytes: _, ...digest } = stored;
    const where: Location = { object, offset: 0, length: digest.sizeBytes, method: 0 };
    await note(stream.path, { ...namedEntry(stream, "stream"), ...digest, where });
  };

  return {
    addRecord,
    addStream,
    async keep(path) {
      begin(path);
      const entry = await previous?.find(path);
      if (!entry) throw new VaultError("missing", `the previous snapshot has no ${path}`);
      await note(path, entry);
    },
    keepAll(prefix) {
      begin();
      const { keeps } = state;
      undo?.push(() => {
        state.keeps = keeps;
      });
      state.keeps = state.keeps.filter((keep) => !keep.prefix.startsWith(prefix));
      state.keeps.push({ prefix, seq: ++state.seq });
    },
    async drop(path) {
      begin(path);
      await note(path, null);
    },
    skipped({ path, kind, reason }) {
      begin();
      const { skipped, skippedCount } = state;
      const { length } = skipped;
      const bytesBefore = skippedBytes;
      undo?.push(() => {
        state.skippedCount = skippedCount;
        skipped.length = length;
        skippedBytes = bytesBefore;
      });
      state.skippedCount++;
      const line = { path, kind, reason };
      const bytes = skippedBytes + Buffer.byteLength(JSON.stringify(line));
      if (state.skipped.length >= MAX_SKIPPED || bytes > MAX_SKIPPED_BYTES) return;
      state.skipped.push(line);
      skippedBytes = bytes;
    },
    reported(kind, count) {
      begin();
      const before = state.reported[kind];
      undo?.push(() => {
        if (before === undefined) delete state.reported[kind];
        else state.reported[kind] = before;
      });
      state.reported[kind] = count;
    },
    mark() {
      undo = [];
    },
    rollBack() {
      if (undo === null) return false;
      for (const takeBack of undo.reverse()) takeBack();
      undo = [];
      return true;
    },
    async checkpoint() {
      invariant(!isOver, "the draft has already ended");
      if (hasNews || segments.length === 0) {
        await packs.flush();
        await spill([sortedMemory(), keptEvents(previous, kept)]);
        kept.fill(0);
        hasNews = false;
      }
      undo = null;
      return checkpointForm.write({ segments: [...segments] });
    },
    async finish({ apiVersion, account }) {
      begin();
      isOver = true;
      const stored = segments.map((segment) => readSegment(deps, scope, segment));
      const events = mergeEvents([...stored, sortedMemory()]);
      const manifest = createManifestWriter(packs, previous);
      for await (const { entry, previousChunk } of mergeWithPrevious(previous, events, {
        keeps: state.keeps,
        kept,
      })) {
        await manifest.add(entry, previousChunk);
      }
      const facts = completenessOf(state, { apiVersion, account });
      const { ref, isUnchanged, completeness } = await manifest.finish(facts);
      if (isUnchanged) packs.discard();
      else await packs.flush();
      const newBytes = isUnchanged ? 0 : ref.objects.reduce((sum, id) => sum + (state.written[id] ?? 0), 0);
      return { manifest: ref, unchanged: isUnchanged, newBytes, completeness };
    },
    async discardTemporary() {
      // A long backup leaves thousands of segments, and its last slice has few sub-requests left.
      for (let at = 0; at < state.temporary.length; at += DISCARDED_AT_ONCE) {
        const ids = state.temporary.slice(at, at + DISCARDED_AT_ONCE);
        await deps.bucket.delete(ids.map((id) => objectKey(scope, id)));
        await deps.registry.discard(ids);
      }
    },
    abandon() {
      isOver = true;
      memory.clear();
      packs.discard();
    },
  };
}

/** Returns the locations of a manifest's records by hash. Empty when the manifest is too large to hold in memory. */
async function locationsByHash(manifest: ManifestReader | null): Promise<ReadonlyMap<string, Location>> {
  const places = new Map<string, Location>();
  if (!manifest || manifest.root.entryCount > MAX_REMEMBERED_HASHES) return places;
  for await (const { type, hash, where } of manifest.entries()) {
    if (type === "record") places.set(hash, where);
  }
  return places;
}

async function startingPoint(deps: VaultDeps, { scope, previous, resume }: DraftOrder) {
  const previousId = previous?.id ?? null;
  const segments = checkpointForm.resume(resume)?.segments ?? [];
  const newest = segments.at(-1);
  if (!newest) {
    const state: DraftState = {
      previous: previousId,
      seq: 0,
      keeps: [],
      skipped: [],
      skippedCount: 0,
      reported: {},
      written: {},
      temporary: [],
    };
    return { state, segments };
  }
  const state = await readSegmentState(deps, scope, newest);
  if (state.previous !== previousId)
    throw new UnreadableCursorError("A draft goes on with the previous snapshot it began with");
  return { state, segments };
}

/** Titles are for lists. The record holds the full title. */
function namedEntry<T extends "record" | "stream">({ path, kind, title, parent }: EntryName, type: T) {
  const shown = title?.slice(0, MAX_TITLE_LENGTH).toWellFormed();
  return {
    path,
    kind,
    type,
    ...(shown === undefined ? {} : { title: shown }),
    ...(parent === undefined ? {} : { parent }),
  };
}

/** Builds the completeness record. The order of `skipped` does not depend on when an entry was skipped. */
function completenessOf(
  state: DraftState,
  facts: { apiVersion: string; account: string },
): Omit<Completeness, "counts"> {
  const skipped = [...state.skipped].sort(
    (a, b) => compareUtf8(a.path, b.path) || compareUtf8(a.reason, b.reason),
  );
  return { reported: state.reported, skipped, skippedCount: state.skippedCount, ...facts };
}
