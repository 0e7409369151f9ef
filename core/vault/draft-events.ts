import { keptEvents, type MergedEntry, mergeWithPrevious } from "./draft-merge.ts";
import {
  type DraftEvent,
  type DraftState,
  mergeEvents,
  readSegment,
  type SegmentRef,
  writeSegment,
} from "./draft-segments.ts";
import type { DraftUndo } from "./draft-undo.ts";
import { hasSameContent } from "./manifest.ts";
import type { ManifestReader } from "./manifest-reader.ts";
import { compareUtf8 } from "./paths.ts";
import type { ManifestEntry, ObjectScope } from "./types.ts";
import type { VaultDeps } from "./vault-deps.ts";

const MAX_EVENTS_IN_MEMORY = 16_384;
/**
 * A segment is merged with all newer ones unless it is this many times as large as they are together. So the number of
 * segments and how often an event is written again grow with the logarithm of the events.
 */
const GROWTH = 2;

/** The newest event per path of a draft. Memory is bounded: events move to sorted segments. */
export type DraftEvents = {
  /** Sets the entry of a path; null = removed. */
  note(path: string, entry: ManifestEntry | null): Promise<void>;
  /** Writes all events in memory to a segment. */
  store(): Promise<void>;
  /** The segments written so far, newest last. */
  segments(): SegmentRef[];
  /**
   * The entries of the snapshot in path order: the previous manifest with the events applied. `onPrevious` hears of every
   * entry of the previous manifest.
   */
  merged(onPrevious: (entry: ManifestEntry) => void): AsyncGenerator<MergedEntry, void>;
  /** Releases the memory. */
  clear(): void;
};

/** Continues from the given state and segments, and modifies both. */
export function openDraftEvents(
  deps: VaultDeps,
  draft: {
    scope: ObjectScope;
    runId: string;
    previous: ManifestReader | null;
    state: DraftState;
    segments: SegmentRef[];
    undo: DraftUndo;
  },
): DraftEvents {
  const { scope, runId, previous, state, segments, undo } = draft;
  const memory = new Map<string, DraftEvent>();
  /** Unchanged entries need no event: a snapshot without changes writes nothing, however large. */
  const kept = new Uint32Array(previous?.root.entryCount ?? 0);
  const sortedMemory = () => [...memory.values()].sort((a, b) => compareUtf8(a.path, b.path));
  const read = (some: readonly SegmentRef[]) => some.map((segment) => readSegment(deps, scope, segment));

  /** How many of the newest segments to merge. What is about to be written counts the next time, when its size is known. */
  function mergeable(): number {
    let [count, newerBytes] = [0, 0];
    for (const [at, { sizeBytes }] of segments.toReversed().entries()) {
      if (sizeBytes <= GROWTH * newerBytes) count = at + 1;
      newerBytes += sizeBytes;
    }
    return count;
  }

  /** Writes events to a segment, with those of the segments that it replaces. */
  async function spill(fresh: (AsyncIterable<DraftEvent> | Iterable<DraftEvent>)[]): Promise<void> {
    const count = mergeable();
    const replaced = segments.slice(segments.length - count);
    const events = mergeEvents([...read(replaced), ...fresh]);
    const segment = await writeSegment(deps, { scope, runId }, { state, events });
    segments.splice(segments.length - count, count, segment);
    state.temporary.push(segment.id);
    memory.clear();
    undo.forget();
  }

  return {
    async note(path, entry) {
      const seq = ++state.seq;
      const old = entry && (await previous?.locate(path));
      if (old && hasSameContent(entry, old.entry)) {
        const { index } = old;
        const before = kept[index]!;
        undo.note(() => {
          kept[index] = before;
        });
        kept[index] = seq;
        return;
      }
      const before = memory.get(path);
      undo.note(() => (before ? memory.set(path, before) : memory.delete(path)));
      memory.set(path, { path, seq, entry });
      if (memory.size >= MAX_EVENTS_IN_MEMORY) await spill([sortedMemory()]);
    },
    async store() {
      await spill([sortedMemory(), keptEvents(previous, kept)]);
      kept.fill(0);
    },
    segments: () => [...segments],
    merged: (onPrevious) =>
      mergeWithPrevious(previous, mergeEvents([...read(segments), sortedMemory()]), {
        keeps: state.keeps,
        kept,
        onPrevious,
      }),
    clear: () => memory.clear(),
  };
}
