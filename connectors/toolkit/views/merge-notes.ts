import type { Note, NoteRange, Notes } from "#connectors/contract/note.ts";
import type { EntryInfo, SnapshotView } from "#connectors/contract/snapshot-view.ts";

/** A folder of notes whose paths sort by time. `read` returns null for entries that are not shown. */
export type NoteSource = { prefix: string; read: (entry: EntryInfo) => Promise<Note | null> };

/** Separates the paths in a mark. No path contains it. */
const SEPARATOR = "\n";

type Direction = "oldest" | "newest";

/**
 * Merges the notes of several folders into one list, the oldest or the newest first. Reads only the page and one note of each folder. The
 * mark holds the last path returned from each folder.
 */
export async function mergeNotes(
  snapshot: SnapshotView,
  sources: readonly NoteSource[],
  { after, most }: NoteRange,
  first: Direction = "oldest",
): Promise<Notes> {
  const marks = readMarks(after, sources.length);
  const walks = sources.map((source, at) => notesOf(snapshot, source, { after: marks[at] ?? "", first }));
  const heads = await Promise.all(walks.map(nextOf));
  const notes: Note[] = [];
  while (notes.length < most) {
    const least = leastOf(heads, first);
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
  { after, first }: { after: string; first: Direction },
): AsyncGenerator<Note, undefined> {
  const entries = first === "oldest" ? snapshot.list(prefix, after) : snapshot.listBack(prefix, after);
  for await (const entry of entries) {
    const note = await read(entry);
    if (note !== null) yield note;
  }
  return undefined;
}

async function nextOf(walk: AsyncGenerator<Note, undefined>): Promise<Note | null> {
  return (await walk.next()).value ?? null;
}

/**
 * Index of the head that comes first, or -1. A note without a time comes at once, which keeps its place in its folder.
 */
function leastOf(heads: readonly (Note | null)[], first: Direction): number {
  let least = -1;
  let time = Number.POSITIVE_INFINITY;
  for (const [index, head] of heads.entries()) {
    const at = head?.at ?? null;
    const order = at === null ? Number.NEGATIVE_INFINITY : first === "oldest" ? at : -at;
    if (head === null || (least >= 0 && order >= time)) continue;
    least = index;
    time = order;
  }
  return least;
}
