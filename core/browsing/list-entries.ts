import { fold } from "#core/kernel/fold.ts";
import type { EntryFacts, SnapshotReader } from "#core/vault/index.ts";
import { MOST_SCANNED } from "./limits.ts";
import { readListPage } from "./list-page.ts";
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

/** Returns one page of entries. It seeks to the page's first path and reads only the chunks of the page. */
export async function listEntries(
  view: SnapshotReader,
  words: Words,
  { kind, search, after }: EntryQuery,
  mostScanned: number = MOST_SCANNED,
): Promise<EntryPage> {
  const needle = fold(search ?? "");
  return await readListPage(view.list("", after ?? ""), {
    isWanted: (entry) =>
      Object.hasOwn(words, entry.kind) &&
      (kind === null || entry.kind === kind) &&
      (needle === "" || fold(entry.title ?? "").includes(needle) || fold(entry.path).includes(needle)),
    toRow: toEntryRow,
    markOf: ({ path }) => path,
    mostScanned,
  });
}

/** An entry as a list row. */
export function toEntryRow({ path, kind, title, sizeBytes, type }: EntryFacts): EntryRow {
  return { path, kind, title: title?.trim() || path, sizeBytes, type };
}
