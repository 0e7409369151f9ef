import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { folderBelow } from "#connectors/toolkit/views/walk-folders.ts";
import { cardSchema, type TrelloCard } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";

/** A card with the paths of what the version has of it. */
export type CardFolder = {
  path: string;
  card: TrelloCard;
  /** Uploaded files. */
  files: ReadonlySet<string>;
  /** Comments, oldest first. */
  comments: readonly string[];
};

/** All cards by ascending id. Walks the folders of cards and of comments side by side; keeps one card at a time. */
export async function* cardFolders(snapshot: SnapshotView): AsyncGenerator<CardFolder, void> {
  const commentsOf = walkComments(snapshot);
  let files = new Set<string>();
  for await (const { path, type } of snapshot.list(recordPaths.cards)) {
    // The files of a card come right before it.
    if (type !== "record") {
      files.add(path);
      continue;
    }
    const card = cardSchema.parse(await snapshot.readRecord(path));
    yield { path, card, files, comments: await commentsOf(card.id) };
    files = new Set();
  }
}

/** Finds the comments of a card. Call it for cards in the order of their ids. */
function walkComments(snapshot: SnapshotView): (cardId: string) => Promise<string[]> {
  const entries = snapshot.list(recordPaths.comments)[Symbol.asyncIterator]();
  const next = async () => {
    const entry = await entries.next();
    if (entry.done === true) return null;
    const { path } = entry.value;
    return { cardId: folderBelow(recordPaths.comments, path) ?? "", path };
  };
  let at: Awaited<ReturnType<typeof next>> | undefined;
  return async (cardId) => {
    if (at === undefined) at = await next();
    const found: string[] = [];
    for (; at !== null && at.cardId <= cardId; at = await next())
      if (at.cardId === cardId) found.push(at.path);
    return found;
  };
}
