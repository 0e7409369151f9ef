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
/** What an event in memory takes in a segment, in bytes, roughly. */
const EVENT_BYTES = 300;
/**
 * A segment is merged into a newer one unless it is this many times as large. So every segment is larger than all newer ones
 * together: their number and how often an event is written again grow with the logarithm of the events.
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
  /** The entries of the snapshot in path order: the previous manifest with the events applied. */
  merged(): AsyncGenerator<MergedEntry, void>;
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
  let keptCount = 0;
  const sortedMemory = () => [...memory.values()].sort((a, b) => compareUtf8(a.path, b.path));
  const read = (some: readonly SegmentRef[]) => some.map((segment) => readSegment(deps, scope, segment));

  /** The newest segments that are not much larger than what they are merged with. */
  function mergeable(freshBytes: number): number {
    let [count, bytes] = [0, freshBytes];
    for (const { sizeBytes } of segments.toReversed()) {
      if (sizeBytes > GROWTH * bytes) break;
      count++;
      bytes += sizeBytes;
    }
    return count;
  }

  /** Writes events to a segment, with those of the segments that it replaces. */
  async function spill(fresh: (AsyncIterable<DraftEvent> | Iterable<DraftEvent>)[]): Promise<void> {
    const count = mergeable(JSON.stringify(state).length + (memory.size + keptCount) * EVENT_BYTES);
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
        keptCount++;
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
      keptCount = 0;
    },
    segments: () => [...segments],
    merged: () =>
      mergeWithPrevious(previous, mergeEvents([...read(segments), sortedMemory()]), {
        keeps: state.keeps,
        kept,
      }),
    clear: () => memory.clear(),
  };
}
