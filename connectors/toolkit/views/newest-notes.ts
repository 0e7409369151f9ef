import type { Note, NoteRange, Notes } from "#connectors/contract/note.ts";
import type { EntryInfo, SnapshotView } from "#connectors/contract/snapshot-view.ts";

/** Notes below a prefix from the last path back. What is not wanted is passed over without being read. */
export async function newestNotes(
  snapshot: SnapshotView,
  { prefix, range, isWanted }: { prefix: string; range: NoteRange; isWanted?: (entry: EntryInfo) => boolean },
  read: (entry: EntryInfo) => Promise<Note>,
): Promise<Notes> {
  const notes: Note[] = [];
  for await (const entry of snapshot.listBack(prefix, range.after ?? "")) {
    if (isWanted?.(entry) === false) continue;
    // One more than fits tells that there is a next page.
    if (notes.length === range.most) return { notes, next: notes.at(-1)?.path ?? null };
    notes.push(await read(entry));
  }
  return { notes, next: null };
}
