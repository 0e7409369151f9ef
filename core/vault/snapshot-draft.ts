import { z } from "zod";
import type { Json } from "#core/kernel/canonical-json.ts";
import { invariant } from "#core/kernel/invariant.ts";
import { storedJson, UnreadableCursorError } from "#core/kernel/stored-json.ts";
import { type DraftEvents, openDraftEvents } from "./draft-events.ts";
import { completenessOf, type DraftReport, openDraftReport } from "./draft-report.ts";
import { type DraftState, readSegmentState, segmentRefSchema } from "./draft-segments.ts";
import { createUndo, type DraftUndo } from "./draft-undo.ts";
import { objectKey } from "./format.ts";
import { type ManifestReader, openManifest } from "./manifest-reader.ts";
import { createManifestWriter } from "./manifest-writer.ts";
import { assertPath } from "./paths.ts";
import { createPackWriter } from "./record-pack.ts";
import { recordStore } from "./store-record.ts";
import { type EntryName, type StreamSink, storeStream } from "./store-stream.ts";
import type { DraftCursor, DraftResult, Location, ManifestRef, ObjectScope } from "./types.ts";
import type { VaultDeps, VaultReadDeps } from "./vault-deps.ts";
import { VaultError } from "./vault-error.ts";

/** R2 deletes at most this many keys per call. */
const DISCARDED_AT_ONCE = 1_000;
/** A checkpoint deletes retired objects when there are this many, in one call each of bucket and ledger. */
const RETIRED_AT_ONCE = 100;
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
  /**
   * Makes everything so far durable. A draft resumed from the returned cursor continues exactly here. Call it again only
   * when that cursor is stored: it may delete what only earlier cursors need.
   */
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
  const undo = createUndo();
  const events = openDraftEvents(deps, { scope, runId, previous, state, segments, undo });
  const onWritten = (object: { id: string; storedBytes: number }) => {
    state.written[object.id] = object.storedBytes;
  };
  const packs = createPackWriter(deps, { scope, runId, onWritten });
  const initially = { hasNews: false, retired: new Set<string>(), isOver: false };
  const draft: Draft = { deps, order, previous, state, undo, events, packs, ...initially };
  return {
    ...contentOf(draft),
    ...reportOf(draft),
    mark: () => undo.mark(),
    rollBack: () => undo.rollBack(),
    checkpoint: () => checkpoint(draft),
    finish: (facts) => finish(draft, facts),
    discardTemporary: () => discardTemporary(draft),
    abandon() {
      draft.isOver = true;
      events.clear();
      packs.discard();
    },
  };
}

type Draft = {
  deps: VaultDeps;
  order: DraftOrder;
  previous: ManifestReader | null;
  state: DraftState;
  undo: DraftUndo;
  events: DraftEvents;
  packs: ReturnType<typeof createPackWriter>;
  /** True when something changed after the last checkpoint. */
  hasNews: boolean;
  /** Temporary objects that neither the last checkpoint nor a later one needs. */
  retired: ReadonlySet<string>;
  isOver: boolean;
};

/** Starts every change of the content. */
function begin(draft: Draft, path?: string): void {
  invariant(!draft.isOver, "the draft has already ended");
  if (path !== undefined) assertPath(path);
  draft.hasNews = true;
}

/** Summarises the content of a snapshot. */
function contentOf(
  draft: Draft,
): Pick<SnapshotDraft, "addRecord" | "addStream" | "keep" | "keepAll" | "drop"> {
  const { deps, order, previous, state, undo, events } = draft;
  const storeRecord = recordStore(draft.packs, previous);
  return {
    async addRecord({ value, ...name }) {
      begin(draft, name.path);
      await events.note(name.path, {
        ...namedEntry(name, "record"),
        ...(await storeRecord(name.path, value)),
      });
    },
    async addStream(stream, write) {
      begin(draft, stream.path);
      const stored = await storeStream(deps, { ...order, previous, ...stream }, write);
      if (!stored) return;
      if (stored.writtenBytes > 0) state.written[stored.object] = stored.writtenBytes;
      const { object, writtenBytes: _, ...digest } = stored;
      const where: Location = { object, offset: 0, length: digest.sizeBytes, method: 0 };
      await events.note(stream.path, { ...namedEntry(stream, "stream"), ...digest, where });
    },
    async keep(path) {
      begin(draft, path);
      const entry = await previous?.find(path);
      if (!entry) throw new VaultError("missing", `the previous snapshot has no ${path}`);
      await events.note(path, entry);
    },
    keepAll(prefix) {
      begin(draft);
      const { keeps } = state;
      undo.note(() => {
        state.keeps = keeps;
      });
      state.keeps = keeps.filter((keep) => !keep.prefix.startsWith(prefix));
      state.keeps.push({ prefix, seq: ++state.seq });
    },
    async drop(path) {
      begin(draft, path);
      await events.note(path, null);
    },
  };
}

function reportOf(draft: Draft): DraftReport {
  const report = openDraftReport(draft.state, draft.undo);
  return {
    skipped(skip) {
      begin(draft);
      report.skipped(skip);
    },
    reported(kind, count) {
      begin(draft);
      report.reported(kind, count);
    },
  };
}

async function checkpoint(draft: Draft): Promise<DraftCursor> {
  const { state, events, packs, undo } = draft;
  invariant(!draft.isOver, "the draft has already ended");
  if (draft.hasNews || events.segments().length === 0) {
    const { retired } = draft;
    if (retired.size >= RETIRED_AT_ONCE) {
      await discard(draft, [...retired]);
      state.temporary = state.temporary.filter((id) => !retired.has(id));
    }
    await packs.flush();
    await events.store();
    draft.hasNews = false;
    const needed = new Set(events.segments().map(({ id }) => id));
    draft.retired = new Set(state.temporary.filter((id) => !needed.has(id)));
  }
  undo.forget();
  return checkpointForm.write({ segments: events.segments() });
}

async function finish(draft: Draft, facts: { apiVersion: string; account: string }): Promise<DraftResult> {
  const { state, events, packs } = draft;
  begin(draft);
  draft.isOver = true;
  const manifest = createManifestWriter(packs, draft.previous);
  const needed = draft.previous ? objectsOf(draft.previous) : new Set<string>();
  const entries = events.merged((entry) => needed.add(entry.where.object));
  for await (const { entry, previousChunk } of entries) await manifest.add(entry, previousChunk);
  const previous = draft.previous && { ...draft.previous.ref, objects: [...needed].sort() };
  const { written, completeness } = await manifest.finish(completenessOf(state, facts));
  if (!written) {
    packs.discard();
    invariant(previous !== null, "only a previous manifest can be unchanged");
    return { manifest: previous, previous, unchanged: true, newBytes: 0, completeness };
  }
  await packs.flush();
  const newBytes = written.objects.reduce((sum, id) => sum + (state.written[id] ?? 0), 0);
  return { manifest: written, previous, unchanged: false, newBytes, completeness };
}

/** The objects that hold a manifest itself. Its entries lie in others. */
function objectsOf({ ref, root }: ManifestReader): Set<string> {
  return new Set([ref.root.object, ...root.chunks.map(({ blob }) => blob.object)]);
}

/** A long backup leaves many segments, and its last slice has few requests left. */
async function discardTemporary(draft: Draft): Promise<void> {
  const { temporary } = draft.state;
  for (let at = 0; at < temporary.length; at += DISCARDED_AT_ONCE)
    await discard(draft, temporary.slice(at, at + DISCARDED_AT_ONCE));
}

async function discard({ deps, order }: Draft, ids: readonly string[]): Promise<void> {
  await deps.bucket.delete(ids.map((id) => objectKey(order.scope, id)));
  await deps.registry.discard(ids);
}

async function startingPoint(deps: VaultReadDeps, { scope, previous, resume }: DraftOrder) {
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
    throw new UnreadableCursorError("A draft must continue with its previous snapshot");
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
