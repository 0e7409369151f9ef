import { expect, test } from "vitest";
import type { BoardView, SearchedCard } from "#connectors/contract/board-view.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { cardsAtFirst, readBoardColumn, readBoardPage, readCardPage } from "./read-board.ts";

const COLUMNS = [
  { id: "todo", path: "lists/todo.json", title: "To do", isArchived: false },
  { id: "done", path: "lists/done.json", title: "Done", isArchived: false },
  { id: "old", path: "lists/old.json", title: "Old", isArchived: true },
];

function cardOf(id: string, more: Partial<SearchedCard> = {}): SearchedCard {
  return {
    id,
    path: `cards/${id}/card.json`,
    columnId: "todo",
    title: `Card ${id}`,
    isArchived: false,
    role: null,
    tags: [],
    cover: null,
    startAt: null,
    dueAt: null,
    isDone: false,
    people: [],
    checks: null,
    commentCount: 0,
    fileCount: 0,
    voteCount: 0,
    hasText: false,
    stickers: [],
    words: "",
    ...more,
  };
}

function boardOf(cards: SearchedCard[]): BoardView {
  return {
    facts: async () => ({ title: "Harbour", text: "", url: null, isArchived: false }),
    columns: async () => COLUMNS,
    cards: async () => cards,
    card: async (id) => {
      const found = cards.find((card) => card.id === id);
      return found ? { ...found, rank: 1, url: null, text: "", fields: [], checklists: [], files: [] } : null;
    },
    comments: async () => ({ notes: [], next: null }),
    comment: async () => null,
    history: async () => ({ notes: [], next: null }),
    partOf: () => null,
  };
}

const everything = { search: null, hasArchived: true };
const open = { search: null, hasArchived: false };
const titles = (page: Awaited<ReturnType<typeof readBoardPage>>) =>
  page.columns.map(({ title, cards }) => [title, ...cards.map(({ id }) => id)]);

test("archived cards, and those of archived columns, are shown behind the switch alone and counted without it", async () => {
  const board = boardOf([
    cardOf("1"),
    cardOf("2", { isArchived: true }),
    cardOf("3", { columnId: "old" }),
    cardOf("4", { columnId: "done" }),
  ]);
  const page = await readBoardPage(board, open);
  expect(titles(page)).toEqual([
    ["To do", "1"],
    ["Done", "4"],
  ]);
  expect(page).toMatchObject({ cardCount: 2, archivedCount: 2, archivedColumnCount: 1 });
  expect(titles(await readBoardPage(board, everything))).toEqual([
    ["To do", "1", "2"],
    ["Done", "4"],
    ["Old", "3"],
  ]);
});

test("a search finds titles, labels, people and other words without regard to case and accents, and drops empty columns", async () => {
  const board = boardOf([
    cardOf("1", { title: "Göteborg" }),
    cardOf("2", { tags: [{ name: "GOTEBORG", hue: null, shade: "normal" }] }),
    cardOf("3", { people: ["Åsa Göte Borg", "Goteborgare"] }),
    cardOf("4", { words: "to goteborg by night", columnId: "done" }),
    cardOf("5", { title: "Kiruna", columnId: "done" }),
    cardOf("6", { title: "Kiruna" }),
  ]);
  const page = await readBoardPage(board, { search: "göteborg", hasArchived: false });
  expect(titles(page)).toEqual([
    ["To do", "1", "2", "3"],
    ["Done", "4"],
  ]);
  expect(titles(await readBoardPage(board, { search: "nowhere", hasArchived: true }))).toEqual([]);
  expect(JSON.stringify(page)).not.toContain("by night");
});

test("every card of a large column is reached once by the key of the one before", async () => {
  const cards = Array.from({ length: 731 }, (_, at) =>
    cardOf(String(at), { columnId: at % 3 === 0 ? "done" : "todo", isArchived: at % 50 === 49 }),
  );
  const board = boardOf(cards);
  const [todo] = (await readBoardPage(board, open)).columns;
  const seen = todo!.cards.map(({ id }) => id);
  let { next } = todo!;
  expect(next).not.toBeNull();
  while (next !== null) {
    const page = await readBoardColumn(board, { ...open, columnId: "todo", after: next });
    expect(page.cards.length).toBeLessThanOrEqual(100);
    seen.push(...page.cards.map(({ id }) => id));
    next = page.next;
  }
  const wanted = cards.filter(({ columnId, isArchived }) => columnId === "todo" && !isArchived);
  expect(seen).toEqual(wanted.map(({ id }) => id));
  expect(todo!.cardCount).toBe(wanted.length);
});

test("a board never shows many cards at once, and of every column some", () => {
  expect([0, 1, 4, 20, 60, 120, 500].map(cardsAtFirst)).toEqual([30, 30, 30, 30, 10, 5, 5]);
});

test("cards of a column that is not in the version stand in one of their own", async () => {
  const board = boardOf([cardOf("1", { columnId: "lost" }), cardOf("2", { columnId: "lost too" })]);
  const page = await readBoardPage(board, open);
  expect(titles(page)).toEqual([["To do"], ["Done"], ["", "1", "2"]]);
  const found = await readBoardColumn(board, { ...open, columnId: "-", after: "1" });
  expect(found.cards.map(({ id }) => id)).toEqual(["2"]);
});

test("a column, key or card that is not there is told as missing", async () => {
  const board = boardOf([cardOf("1")]);
  const missing = new AppError("err.not.found");
  await expect(readBoardColumn(board, { ...open, columnId: "x", after: null })).rejects.toThrow(missing);
  await expect(readBoardColumn(board, { ...open, columnId: "todo", after: "9" })).rejects.toThrow(missing);
  const card = { cardId: "9", commentsBefore: null, historyBefore: null };
  await expect(readCardPage(board, card)).rejects.toThrow(missing);
  expect(await readCardPage(board, { ...card, cardId: "1" })).toMatchObject({ column: "To do" });
});
