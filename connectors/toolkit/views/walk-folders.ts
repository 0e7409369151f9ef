import type { EntryInfo, SnapshotView } from "#connectors/contract/snapshot-view.ts";

/**
 * Yields the entry `file` of each folder below a prefix, last folder first; with `before`, starts before that folder.
 * Skips everything else in a folder, so long discussions cost nothing.
 */
export async function* walkFoldersBack(
  snapshot: SnapshotView,
  { prefix, file, before }: { prefix: string; file: string; before: string | null },
): AsyncGenerator<EntryInfo, void> {
  for (let bound = before === null ? "" : `${prefix}${before}/`; ; ) {
    const last = await firstOf(snapshot.listBack(prefix, bound));
    if (last === null) return;
    const end = last.path.indexOf("/", prefix.length);
    bound = end < 0 ? last.path : last.path.slice(0, end + 1);
    const entry = end < 0 ? null : await snapshot.find(`${bound}${file}`);
    if (entry !== null) yield entry;
  }
}

/** The entry `file` of the first folder after another one; null = that was the last one. */
export async function folderAfter(
  snapshot: SnapshotView,
  { prefix, file, after }: { prefix: string; file: string; after: string },
): Promise<EntryInfo | null> {
  for (let bound = `${prefix}${after}/${LAST}`; ; ) {
    const first = await firstOf(snapshot.list(prefix, bound));
    if (first === null) return null;
    const end = first.path.indexOf("/", prefix.length);
    const entry = end < 0 ? null : await snapshot.find(`${first.path.slice(0, end + 1)}${file}`);
    if (entry !== null) return entry;
    bound = end < 0 ? first.path : `${first.path.slice(0, end + 1)}${LAST}`;
  }
}

/** Sorts after every other name. */
const LAST = "\u{10FFFF}";

/** Name of the folder below the prefix that contains the path; null = none. */
export function folderBelow(prefix: string, path: string): string | null {
  const end = path.indexOf("/", prefix.length);
  return path.startsWith(prefix) && end > prefix.length ? path.slice(prefix.length, end) : null;
}

async function firstOf(entries: AsyncIterable<EntryInfo>): Promise<EntryInfo | null> {
  for await (const entry of entries) return entry;
  return null;
}
