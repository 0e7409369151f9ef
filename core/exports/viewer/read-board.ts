import type { BoardCardDetail, BoardView } from "#connectors/contract/board-view.ts";
import type { ViewerCatalogue, ViewerPart } from "./data.ts";
import { type FindInZip, filesOf, listsOf, readNotes, some, textBlocks } from "./shape-part.ts";

/** Describes a board as a whole for the offline page. */
export async function describeBoard(board: BoardView): Promise<Pick<ViewerCatalogue, "board" | "words">> {
  const { text, url } = await board.facts();
  const columns = (await board.columns()).map(({ id, title, isArchived }) => ({
    id,
    title,
    isArchived: isArchived ? (true as const) : undefined,
  }));
  const { card, column, people, away } = board.words;
  const words = { column: column.one, people, away };
  return {
    words: card,
    board: { text: text === "" ? undefined : text, url: url ?? undefined, columns, words },
  };
}

/** Every card with its content, comments and events. */
export async function* readCards(board: BoardView, find: FindInZip): AsyncGenerator<ViewerPart, void> {
  for await (const { id } of board.cards()) {
    const card = await board.card(id);
    if (card === null) continue;
    const comments = await readNotes((range) => board.comments(id, range), find);
    const history = await readNotes((range) => board.history(id, range), find);
    yield {
      ...cardPart(card, find),
      notes: some([...comments.notes.reverse(), ...history.notes.reverse()]),
      areNotesCut: comments.isCut || history.isCut ? true : undefined,
    };
  }
}

function cardPart(card: BoardCardDetail, find: FindInZip): ViewerPart {
  return {
    type: "card",
    id: card.id,
    key: card.key ?? undefined,
    title: card.title,
    group: card.columnId,
    rank: card.rank,
    isArchived: card.isArchived ? true : undefined,
    badges: some([...(card.role === null ? [] : [card.role]), ...card.badges]),
    people: some(card.people),
    startAt: card.startAt ?? undefined,
    dueAt: card.dueAt ?? undefined,
    isDone: card.isDone ? true : undefined,
    url: card.url ?? undefined,
    ...listsOf(card),
    checklists: some(card.checklists),
    blocks: textBlocks(card.text),
    files: filesOf(card.files, find),
  };
}
