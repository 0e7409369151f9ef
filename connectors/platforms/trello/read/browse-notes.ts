import { z } from "zod";
import type { Note, NoteRange, Notes, Reaction } from "#connectors/contract/note.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { newestNotes } from "#connectors/toolkit/views/newest-notes.ts";
import { timeOf } from "#connectors/toolkit/views/values.ts";
import { actionSchema, type TrelloAction } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import { actionSentence, actionTopic } from "./action-sentence.ts";
import type { HistoryIndex } from "./history-index.ts";

const editedSchema = z.object({ dateLastEdited: z.string() });

/** A card's comments, newest first. Reads only those of the page. */
export function readCardComments(snapshot: SnapshotView, cardId: string, range: NoteRange): Promise<Notes> {
  const prefix = recordPaths.commentsOf(cardId);
  return newestNotes(snapshot, { prefix, range }, async ({ path }) => {
    const action = actionSchema.parse(await snapshot.readRecord(path));
    return noteOf(path, action, { type: "comment", text: action.data.text ?? "" });
  });
}

/** Finds a comment by its path, or null. */
export async function readComment(snapshot: SnapshotView, path: string): Promise<Note | null> {
  const entry = await snapshot.find(path);
  if (entry?.kind !== "comment") return null;
  const action = actionSchema.parse(await snapshot.readRecord(path));
  return noteOf(path, action, { type: "comment", text: action.data.text ?? "" });
}

/** A card's events, newest first. Reads only those of the page. */
export async function readCardHistory(
  snapshot: SnapshotView,
  index: HistoryIndex,
  order: { cardId: string; range: NoteRange },
): Promise<Notes> {
  const { after, most } = order.range;
  const notes: Note[] = [];
  for (const path of index.pathsOf(order.cardId)) {
    if (after !== null && path >= after) continue;
    // One more entry than fits means that there is a next page.
    if (notes.length === most) return { notes, next: notes.at(-1)?.path ?? null };
    const action = actionSchema.parse(await snapshot.readRecord(path));
    notes.push(
      noteOf(path, action, { type: "event", text: actionSentence(action), topic: actionTopic(action) }),
    );
  }
  return { notes, next: null };
}

function noteOf(path: string, action: TrelloAction, said: Pick<Note, "type" | "text" | "topic">): Note {
  const { date, memberCreator, data } = action;
  return {
    ...said,
    path,
    author: memberCreator === null ? null : memberCreator.fullName || memberCreator.username,
    at: timeOf(date),
    editedAt: timeOf(editedSchema.safeParse(data).data?.dateLastEdited),
    about: null,
    answers: null,
    reactions: reactionsOf(action),
    files: [],
  };
}

/** Counts the reactions to a comment by emoji. */
export function reactionsOf({ reactions }: Pick<TrelloAction, "reactions">): Reaction[] {
  const counts = new Map<string, number>();
  for (const { emoji } of reactions ?? []) {
    counts.set(emoji.native, (counts.get(emoji.native) ?? 0) + 1);
  }
  return [...counts].map(([sign, count]) => ({ sign, count }));
}
