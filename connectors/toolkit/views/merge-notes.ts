import type { Note, NoteRange, Notes } from "#connectors/contract/note.ts";
import type { EntryInfo, SnapshotView } from "#connectors/contract/snapshot-view.ts";

/** A folder of notes whose paths sort by time. `read` returns null for entries that are not shown. */
export type NoteSource = { prefix: string; read: (entry: EntryInfo) => Promise<Note | null> };

/** Separates the paths in a mark. No path contains it. */
const SEPARATOR = "\n";

/**
 * Merges the notes of several folders into one list, oldest first. Reads only the page and one note of each folder. The
 * mark holds the last path returned from each folder.
 */
export async function mergeNotes(
  snapshot: SnapshotView,
  sources: readonly NoteSource[],
  { after, most }: NoteRange,
): Promise<Notes> {
  const marks = readMarks(after, sources.length);
  const walks = sources.map((source, at) => notesOf(snapshot, source, marks[at] ?? ""));
  const heads = await Promise.all(walks.map(nextOf));
  const notes: Note[] = [];
  while (notes.length < most) {
    const least = leastOf(heads);
    const note = heads[least];
    if (!note) return { notes, next: null };
    notes.push(note);
    marks[least] = note.path;
    heads[least] = await nextOf(walks[least]!);
  }
  return { notes, next: heads.some((head) => head !== null) ? marks.join(SEPARATOR) : null };
}

function readMarks(after: string | null, count: number): string[] {
  const marks = (after ?? "").split(SEPARATOR);
  return marks.length === count ? marks : Array.from({ length: count }, () => "");
}

async function* notesOf(
  snapshot: SnapshotView,
  { prefix, read }: NoteSource,
  after: string,
): AsyncGenerator<Note, undefined> {
  for await (const entry of snapshot.list(prefix, after)) {
    const note = await read(entry);
    if (note !== null) yield note;
  }
  return undefined;
}

async function nextOf(walk: AsyncGenerator<Note, undefined>): Promise<Note | null> {
  return (await walk.next()).value ?? null;
}

/** Index of the oldest head, or -1. A note without a time counts as the oldest, which keeps its place in its folder. */
function leastOf(heads: readonly (Note | null)[]): number {
  let least = -1;
  let time = Number.POSITIVE_INFINITY;
  for (const [index, head] of heads.entries()) {
    const at = head?.at ?? Number.NEGATIVE_INFINITY;
    if (head === null || (least >= 0 && at >= time)) continue;
    least = index;
    time = at;
  }
  return least;
}
