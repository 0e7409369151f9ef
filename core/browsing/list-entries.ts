import type { EntryFacts, SnapshotReader } from "#core/vault/index.ts";
import { fold } from "./fold.ts";
import { ENTRIES_PER_PAGE, MOST_SCANNED } from "./limits.ts";
import type { EntryPage, EntryRow, KindCount } from "./views.ts";

type Words = Readonly<Record<string, { one: string; many: string }>>;

/** What to list: a kind, a search in titles and paths, or both, after a path. */
export type EntryQuery = { kind: string | null; search: string | null; after: string | null };

/** The kinds in a version, in the platform's order, with their counts. Reads no entries. */
export function countKinds(view: SnapshotReader, words: Words): KindCount[] {
  const { counts } = view.completeness();
  return Object.entries(words).flatMap(([kind, { one, many }]) => {
    const count = counts[kind] ?? 0;
    return count === 0 ? [] : [{ kind, one, many, count }];
  });
}

/**
 * One page of entries. Seeks to the path of the page and reads no more chunks than the page needs. A search that finds
 * little pauses after a bounded number of entries and sets `isPaused`.
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
      // One more match than fits means that there is a next page.
      if (rows.length === ENTRIES_PER_PAGE) return { rows, next: rows.at(-1)!.path, isPaused: false };
      rows.push(toEntryRow(entry));
    }
    last = entry.path;
    scanned += 1;
    if (scanned >= mostScanned) return { rows, next: last, isPaused: true };
  }
  return { rows, next: null, isPaused: false };
}

/** An entry as a list row. */
export function toEntryRow({ path, kind, title, sizeBytes, type }: EntryFacts): EntryRow {
  return { path, kind, title: title?.trim() || path, sizeBytes, type };
}
