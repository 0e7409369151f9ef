import type { Note, NoteRange, Notes } from "#connectors/contract/note.ts";
import type { EntryInfo, SnapshotView } from "#connectors/contract/snapshot-view.ts";

/** Notes below a prefix in descending path order. Skips unwanted entries without reading them. */
export async function newestNotes(
  snapshot: SnapshotView,
  { prefix, range, isWanted }: { prefix: string; range: NoteRange; isWanted?: (entry: EntryInfo) => boolean },
  read: (entry: EntryInfo) => Promise<Note>,
): Promise<Notes> {
  const notes: Note[] = [];
  for await (const entry of snapshot.listBack(prefix, range.after ?? "")) {
    if (isWanted?.(entry) === false) continue;
    // One more entry than fits means that there is a next page.
    if (notes.length === range.most) return { notes, next: notes.at(-1)?.path ?? null };
    notes.push(await read(entry));
  }
  return { notes, next: null };
}
