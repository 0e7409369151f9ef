import type { Note, NoteRange, Notes } from "#connectors/contract/note.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { mergeNotes } from "#connectors/toolkit/views/merge-notes.ts";
import { timeOf } from "#connectors/toolkit/views/values.ts";
import { commentSchema } from "../payloads.ts";
import { readPath } from "../record-paths.ts";

/** Comments below the folder of a page or row, oldest first: their ids grow with time. */
export function notesOf(snapshot: SnapshotView, folder: string, range: NoteRange): Promise<Notes> {
  const source = {
    prefix: `${folder}comments/`,
    read: ({ path }: { path: string }) => readComment(snapshot, path),
  };
  return mergeNotes(snapshot, [source], range);
}

/** One comment of a page or row by its path; null when there is none. */
export async function findComment(
  snapshot: SnapshotView,
  path: string,
  isOf: (of: { type: "page" | "row"; registerId: string | null }) => boolean,
): Promise<Note | null> {
  const named = readPath(path);
  if (named?.type !== "comment" || !isOf(named.of)) return null;
  return (await snapshot.find(path)) === null ? null : await readComment(snapshot, path);
}

async function readComment(snapshot: SnapshotView, path: string): Promise<Note> {
  const comment = commentSchema.parse(await snapshot.readRecord(path));
  const { author, at, editedAt, text, answers, reactions } = comment;
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  return {
    ...{ path, type: "comment", author, text, reactions, about: null, files: [] },
    at: timeOf(at),
    editedAt: timeOf(editedAt),
    answers: answers === null ? null : `${folder}${answers}.json`,
  };
}
