import type { DraftEvent, DraftState } from "./draft-segments.ts";
import { hasSameContent } from "./manifest.ts";
import type { ManifestReader } from "./manifest-reader.ts";
import { compareUtf8 } from "./paths.ts";
import type { ManifestEntry } from "./types.ts";

/** An entry of the snapshot; `previousChunk` is set when the previous manifest holds exactly this entry. */
export type MergedEntry = { entry: ManifestEntry; previousChunk?: number };

/**
 * For each entry of the previous manifest, in path order, the `seq` at which it was last kept by its path. 0 = never.
 */
export type KeptEntries = Uint32Array;

/**
 * Merges the events of a draft with the previous manifest and yields the entries of the snapshot in path order. For
 * each path the latest of these wins: its own event, keeping the entry, or keeping a prefix. `onPrevious` hears of every
 * entry of the previous manifest.
 */
export async function* mergeWithPrevious(
  previous: ManifestReader | null,
  events: AsyncIterator<DraftEvent, void>,
  {
    keeps,
    kept: keptEntries,
    onPrevious,
  }: { keeps: DraftState["keeps"]; kept: KeptEntries; onPrevious?: (entry: ManifestEntry) => void },
): AsyncGenerator<MergedEntry, void> {
  const keptAt = keepIndex(keeps);
  let index = 0;
  let event = await nextEvent(events);
  for (let i = 0; i < (previous?.root.chunks.length ?? 0); i++) {
    for (const old of await previous!.chunk(i)) {
      onPrevious?.(old);
      for (; event && compareUtf8(event.path, old.path) < 0; event = await nextEvent(events)) {
        if (event.entry) yield { entry: event.entry };
      }
      const kept = Math.max(keptAt(old.path), keptEntries[index++]!);
      let entry = kept > 0 ? old : null;
      if (event?.path === old.path) {
        if (event.seq > kept) entry = event.entry;
        event = await nextEvent(events);
      }
      if (!entry) continue;
      yield hasSameContent(entry, old) ? { entry: old, previousChunk: i } : { entry };
    }
  }
  for (; event; event = await nextEvent(events)) {
    if (event.entry) yield { entry: event.entry };
  }
}

/** Returns kept entries as events in path order, the form in which a checkpoint stores them. */
export async function* keptEvents(
  previous: ManifestReader | null,
  kept: KeptEntries,
): AsyncGenerator<DraftEvent, void> {
  let start = 0;
  for (const [i, { count }] of (previous?.root.chunks ?? []).entries()) {
    const seqs = kept.subarray(start, start + count);
    start += count;
    if (seqs.every((seq) => seq === 0)) continue;
    for (const [at, entry] of (await previous!.chunk(i)).entries()) {
      const seq = seqs[at]!;
      if (seq > 0) yield { path: entry.path, seq, entry };
    }
  }
}

async function nextEvent(events: AsyncIterator<DraftEvent, void>): Promise<DraftEvent | null> {
  return (await events.next()).value ?? null;
}

/** Returns the `seq` at which a prefix last kept the path. 0 = never. Costs one look-up per distinct prefix length. */
function keepIndex(keeps: DraftState["keeps"]): (path: string) => number {
  const seqs = new Map<string, number>();
  for (const { prefix, seq } of keeps) seqs.set(prefix, Math.max(seq, seqs.get(prefix) ?? 0));
  const lengths = [...new Set(keeps.map(({ prefix }) => prefix.length))];
  return (path) => Math.max(0, ...lengths.map((length) => seqs.get(path.slice(0, length)) ?? 0));
}
