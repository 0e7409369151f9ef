import { z } from "zod";
import type { BoardNote, BoardNotes } from "#connectors/contract/board-view.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { actionSchema, type TrelloAction } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import { actionSentence } from "./action-sentence.ts";

type NotePage = { before: string | null; most: number };

const editedSchema = z.object({ dateLastEdited: z.string() });
const reactionsSchema = z.array(z.looseObject({ emoji: z.looseObject({ native: z.string() }) })).catch([]);

/** A card's comments, newest first. Reads only those on the page. */
export async function readCardComments(
  snapshot: SnapshotView,
  cardId: string,
  page: NotePage,
): Promise<BoardNotes> {
  const paths: string[] = [];
  for await (const { path } of snapshot.list(recordPaths.commentsOf(cardId))) paths.push(path);
  return await readNotes(snapshot, { paths, page }, ({ data }) => data.text ?? "");
}

/** One comment by its path; null when the version has none there. */
export async function readComment(snapshot: SnapshotView, path: string): Promise<BoardNote | null> {
  const entry = await snapshot.find(path);
  if (entry?.kind !== "comment") return null;
  const action = actionSchema.parse(await snapshot.readRecord(path));
  return noteOf(path, action, action.data.text ?? "");
}

/** A card's history, newest first. Lists the entries of the whole board, but reads only those on the page. */
export async function readCardHistory(
  snapshot: SnapshotView,
  cardId: string,
  page: NotePage,
): Promise<BoardNotes> {
  const paths: string[] = [];
  const home = recordPaths.card(cardId);
  for await (const { path, parent } of snapshot.list(recordPaths.actions))
    if (parent === home) paths.push(path);
  return await readNotes(snapshot, { paths, page }, actionSentence);
}

async function readNotes(
  snapshot: SnapshotView,
  { paths, page }: { paths: readonly string[]; page: NotePage },
  textOf: (action: TrelloAction) => string,
): Promise<BoardNotes> {
  const { before, most } = page;
  const older = before === null ? paths : paths.filter((path) => path < before);
  const shown = older.slice(-most);
  const notes: BoardNote[] = [];
  for (const path of shown.toReversed()) {
    const action = actionSchema.parse(await snapshot.readRecord(path));
    notes.push(noteOf(path, action, textOf(action)));
  }
  return { notes, next: shown.length < older.length ? (shown[0] ?? null) : null };
}

function noteOf(path: string, action: TrelloAction, text: string): BoardNote {
  const { date, memberCreator, data } = action;
  const at = Date.parse(date);
  const edited = editedSchema.safeParse(data);
  const editedAt = edited.success ? Date.parse(edited.data.dateLastEdited) : Number.NaN;
  return {
    path,
    author: memberCreator === null ? null : memberCreator.fullName || memberCreator.username,
    at: Number.isFinite(at) ? at : null,
    editedAt: Number.isFinite(editedAt) ? editedAt : null,
    text,
    reactions: reactionsOf(action),
  };
}

function reactionsOf(action: TrelloAction): BoardNote["reactions"] {
  const counts = new Map<string, number>();
  for (const { emoji } of reactionsSchema.parse((action as { reactions?: unknown }).reactions)) {
    counts.set(emoji.native, (counts.get(emoji.native) ?? 0) + 1);
  }
  return [...counts].map(([sign, count]) => ({ sign, count }));
}
