import type { EntryFacts, SnapshotReader } from "#core/vault/index.ts";
import { fold } from "./fold.ts";
import { ENTRIES_PER_PAGE, MOST_SCANNED } from "./limits.ts";
import type { EntryPage, EntryRow, KindCount } from "./views.ts";

type Words = Readonly<Record<string, { one: string; many: string }>>;

/** What to list: a kind, or words in titles and paths, or both; behind a path. */
export type EntryQuery = { kind: string | null; search: string | null; after: string | null };

/** The kinds that a version holds, in the platform's order, with their counts; nothing is read for it. */
export function countKinds(view: SnapshotReader, words: Words): KindCount[] {
  const { counts } = view.completeness();
  return Object.entries(words).flatMap(([kind, { one, many }]) => {
    const count = counts[kind] ?? 0;
    return count === 0 ? [] : [{ kind, one, many, count }];
  });
}

/**
 * One page of entries. Pages are found by seeking to a path, and no more chunks are read than the page needs; a
 * search that finds little pauses after a bounded number of entries and says so.
 */
export async function listEntries(
  view: SnapshotReader,
  words: Words,
  query: EntryQuery,
  mostScanned: number = MOST_SCANNED,
): Promise<EntryPage> {
  const rows: EntryRow[] = [];
  const needle = fold(query.search ?? "");
  const isWanted = (entry: EntryFacts) =>
    Object.hasOwn(words, entry.kind) &&
    (query.kind === null || entry.kind === query.kind) &&
    (needle === "" || fold(entry.title ?? "").includes(needle) || fold(entry.path).includes(needle));
  let scanned = 0;
  let last: string | null = null;
  for await (const entry of view.list("", query.after ?? "")) {
    if (isWanted(entry)) {
      // One more than fits tells that there is a next page.
      if (rows.length === ENTRIES_PER_PAGE) return { rows, next: rows.at(-1)!.path, isPaused: false };
      rows.push(toEntryRow(entry));
    }
    last = entry.path;
    scanned += 1;
    if (scanned >= mostScanned) return { rows, next: last, isPaused: true };
  }
  return { rows, next: null, isPaused: false };
}

/** An entry as lists show it. */
export function toEntryRow({ path, kind, title, sizeBytes, type }: EntryFacts): EntryRow {
  return { path, kind, title: title?.trim() || path, sizeBytes, type };
}
