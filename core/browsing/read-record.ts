import { AppError } from "#core/kernel/app-error.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import type { EntryFacts, SnapshotReader } from "#core/vault/index.ts";
import { CHILDREN_PER_PAGE, LARGEST_RECORD_BYTES, MOST_CHILDREN_SCANNED } from "./limits.ts";
import { toEntryRow } from "./list-entries.ts";
import { readableOf } from "./readable.ts";
import type { RecordPage, RecordView } from "./views.ts";

type Words = Readonly<Record<string, { one: string; many: string }>>;

/**
 * A record as a page, with its children below it, oldest first.
 *
 * @throws AppError `err.not.found` when the version has no such record, `err.version.unreadable` when it is too large
 */
export async function readRecordPage(
  view: SnapshotReader,
  words: Words,
  { path, after }: { path: string; after: string | null },
): Promise<RecordPage> {
  const entry = await view.find(path);
  if (entry?.type !== "record" || !Object.hasOwn(words, entry.kind)) throw new AppError("err.not.found");
  const own = await readRecordView(view, entry);
  if (own === null) throw new AppError("err.version.unreadable");
  const parent = entry.parent === undefined ? null : await view.find(entry.parent);
  const children: RecordPage["children"] = [];
  let nextChild: string | null = null;
  let scanned = 0;
  for await (const child of view.list(folderOf(path), after ?? "")) {
    scanned += 1;
    if (scanned > MOST_CHILDREN_SCANNED) {
      nextChild = child.path;
      break;
    }
    if (child.parent !== path || child.type !== "record" || !Object.hasOwn(words, child.kind)) continue;
    if (children.length === CHILDREN_PER_PAGE) {
      nextChild = children.at(-1)!.entry.path;
      break;
    }
    const read = await readRecordView(view, child);
    if (read !== null) children.push({ entry: read.entry, readable: read.readable });
  }
  return {
    ...own,
    parent: parent && toEntryRow(parent),
    children: children
      .map((child, rank) => ({ child, rank }))
      .sort(
        (a, b) => (a.child.readable.createdAt ?? 0) - (b.child.readable.createdAt ?? 0) || a.rank - b.rank,
      )
      .map(({ child }) => child),
    nextChild,
  };
}

/** A record's content; null when it is too large to show. */
export async function readRecordView(view: SnapshotReader, entry: EntryFacts): Promise<RecordView | null> {
  if (entry.sizeBytes > LARGEST_RECORD_BYTES) return null;
  const value: Json = await view.readRecord(entry.path);
  return { entry: toEntryRow(entry), readable: readableOf(value), json: JSON.stringify(value, null, 2) };
}

/** The folder of a record's children: the record's own. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}
