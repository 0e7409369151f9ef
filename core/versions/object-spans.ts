import type { ListedManifest } from "#core/vault/index.ts";

/** The manifests of an item that need an object: those numbered `fromSeq` to `toSeq`. Null = and all that follow. */
export type ObjectSpan = { objectId: string; fromSeq: number; toSeq: number | null };

/** A manifest with its number among the item's. */
export type NumberedManifest = ListedManifest & { seq: number };

/** Spans to delete and to insert. */
export type SpanReplacement = { gone: readonly ObjectSpan[]; come: readonly ObjectSpan[] };

/** The objects of each manifest, by number, in the order of the spans. `seqs` ascend. */
export function objectsBySeq(
  seqs: readonly number[],
  spans: readonly ObjectSpan[],
): ReadonlyMap<number, readonly string[]> {
  const lists = seqs.map((): string[] => []);
  for (const span of spans) {
    const { first, last } = stretchOf(seqs, span);
    for (let at = first; at <= last; at++) lists[at]!.push(span.objectId);
  }
  return new Map(seqs.map((seq, at) => [seq, lists[at]!]));
}

/**
 * The spans to delete and to insert so that these manifests, all of an item, need these objects. A span stays if it
 * holds the right manifests, so what has not changed costs nothing.
 */
export function changeOfSpans(
  spans: readonly ObjectSpan[],
  manifests: readonly Pick<NumberedManifest, "seq" | "objects">[],
): SpanReplacement {
  const ordered = manifests.toSorted((a, b) => a.seq - b.seq);
  const seqs = ordered.map(({ seq }) => seq);
  const keyOf = (objectId: string, first: number, last: number) => `${objectId} ${first} ${last}`;
  const come = new Map<string, ObjectSpan>();
  for (const { objectId, first, last } of stretchesOf(ordered)) {
    const toSeq = last === seqs.length - 1 ? null : seqs[last]!;
    come.set(keyOf(objectId, first, last), { objectId, fromSeq: seqs[first]!, toSeq });
  }
  const gone = spans.filter((span) => {
    const { first, last } = stretchOf(seqs, span);
    return !come.delete(keyOf(span.objectId, first, last));
  });
  return { gone, come: [...come.values()] };
}

/** Indexes of manifests, from `first` to `last`. */
type Stretch = { first: number; last: number };

/** The longest stretches of successive manifests that need an object. */
function stretchesOf(
  ordered: readonly Pick<NumberedManifest, "objects">[],
): ({ objectId: string } & Stretch)[] {
  const found: ({ objectId: string } & Stretch)[] = [];
  const newest = new Map<string, Stretch>();
  for (const [at, { objects }] of ordered.entries()) {
    for (const objectId of objects) {
      const known = newest.get(objectId);
      if (known && known.last >= at - 1) {
        known.last = at;
        continue;
      }
      const stretch = { objectId, first: at, last: at };
      newest.set(objectId, stretch);
      found.push(stretch);
    }
  }
  return found;
}

/** The manifests in a span. `last` is less than `first` when there are none. */
function stretchOf(seqs: readonly number[], { fromSeq, toSeq }: ObjectSpan): Stretch {
  const last = toSeq === null ? seqs.length : indexFrom(seqs, toSeq + 1);
  return { first: indexFrom(seqs, fromSeq), last: last - 1 };
}

/** Binary search: index of the first number that is not below `least`. */
function indexFrom(seqs: readonly number[], least: number): number {
  let low = 0;
  let high = seqs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (seqs[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
