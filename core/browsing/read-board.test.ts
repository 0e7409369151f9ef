import { expect, test } from "vitest";
import type { BoardView, SearchedCard } from "#connectors/contract/board-view.ts";
import type { View } from "#connectors/contract/view.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Viewed } from "./open-view.ts";
import { boardColumn, boardPage, cardsAtFirst, readCardPage } from "./read-board.ts";

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
    rank: 1,
    key: null,
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
    hasText: false,
    badges: [],
    words: "",
    ...more,
  };
}

const WORDS = {
  card: { one: "ticket", many: "tickets" },
  column: { one: "lane", many: "lanes" },
  people: "crew",
  away: "stowed",
};

function boardOf(cards: SearchedCard[]): BoardView {
  return {
    words: WORDS,
    facts: async () => ({ title: "Harbour", text: "", url: null, isArchived: false }),
    columns: async () => COLUMNS,
    async *cards() {
      yield* cards;
    },
    card: async (id) => {
      const found = cards.find((card) => card.id === id);
      return found ? { ...found, url: null, text: "", fields: [], checklists: [], files: [] } : null;
    },
    comments: async () => ({ notes: [], next: null }),
    comment: async () => null,
    history: async () => ({ notes: [], next: null }),
    roleOf: () => null,
  };
}

/** A version with the board as its view. */
function versionWith(board: BoardView): Viewed {
  const views = async (): Promise<View[]> => [
    { kind: "board", id: "board", label: "Board", open: async () => board },
  ];
  return { connector: { views }, view: {} } as unknown as Viewed;
}

const everything = { search: null, hasArchived: true };
const open = { search: null, hasArchived: false };
const titles = (page: Awaited<ReturnType<typeof boardPage>>) =>
  page.columns.map(({ title, cards }) => [title, ...cards.map(({ id }) => id)]);

test("archived cards and columns are shown only behind the switch but always counted", async () => {
  const board = boardOf([
    cardOf("1"),
    cardOf("2", { isArchived: true }),
    cardOf("3", { columnId: "old" }),
    cardOf("4", { columnId: "done" }),
  ]);
  const page = await boardPage(board, open);
  expect(titles(page)).toEqual([
    ["To do", "1"],
    ["Done", "4"],
  ]);
  expect(page).toMatchObject({ words: WORDS, cardCount: 2, archivedCount: 2, archivedColumnCount: 1 });
  expect(titles(await boardPage(board, everything))).toEqual([
    ["To do", "1", "2"],
    ["Done", "4"],
    ["Old", "3"],
  ]);
});

test("a search matches titles, labels, people and other words without case and accents, and drops empty columns", async () => {
  const board = boardOf([
    cardOf("1", { title: "Göteborg" }),
    cardOf("2", { tags: [{ name: "GOTEBORG", hue: null, shade: "normal" }] }),
    cardOf("3", { people: ["Åsa Göte Borg", "Goteborgare"] }),
    cardOf("4", { words: "to goteborg by night", columnId: "done" }),
    cardOf("5", { title: "Kiruna", columnId: "done" }),
    cardOf("6", { title: "Kiruna" }),
  ]);
  const page = await boardPage(board, { search: "göteborg", hasArchived: false });
  expect(titles(page)).toEqual([
    ["To do", "1", "2", "3"],
    ["Done", "4"],
  ]);
  expect(titles(await boardPage(board, { search: "nowhere", hasArchived: true }))).toEqual([]);
  expect(JSON.stringify(page)).not.toContain("by night");
});

test("every card of a large column is reached exactly once by cursor", async () => {
  const cards = Array.from({ length: 731 }, (_, at) =>
    cardOf(String(at), { columnId: at % 3 === 0 ? "done" : "todo", isArchived: at % 50 === 49 }),
  );
  const board = boardOf(cards);
  const [todo] = (await boardPage(board, open)).columns;
  const seen = todo!.cards.map(({ id }) => id);
  let { next } = todo!;
  expect(next).not.toBeNull();
  while (next !== null) {
    const page = await boardColumn(board, { ...open, columnId: "todo", after: next });
    expect(page.cards.length).toBeLessThanOrEqual(100);
    seen.push(...page.cards.map(({ id }) => id));
    next = page.next;
  }
  const wanted = cards.filter(({ columnId, isArchived }) => columnId === "todo" && !isArchived);
  expect(seen).toEqual(wanted.map(({ id }) => id));
  expect(todo!.cardCount).toBe(wanted.length);
});

test("cards are sorted by rank, numbers or texts, in whatever order they are read", async () => {
  for (const rankOf of [
    (at: number) => (at * 37) % 101,
    (at: number) => `0|${String((at * 37) % 101).padStart(5, "0")}:`,
  ]) {
    const cards = Array.from({ length: 101 }, (_, at) => cardOf(String(at), { rank: rankOf(at) }));
    const expected = cards.toSorted((one, other) => (one.rank < other.rank ? -1 : 1)).map(({ id }) => id);
    const [todo] = (await boardPage(boardOf(cards), open)).columns;
    expect(todo!.cards.map(({ id }) => id)).toEqual(expected.slice(0, 30));
    const rest = await boardColumn(boardOf(cards), { ...open, columnId: "todo", after: todo!.next });
    expect(rest.cards.map(({ id }) => id)).toEqual(expected.slice(30));
    expect([rest.cardCount, rest.next]).toEqual([101, null]);
  }
});

test("a board shows a limited number of cards, and some of every column", () => {
  expect([0, 1, 4, 20, 60, 120, 500].map(cardsAtFirst)).toEqual([30, 30, 30, 30, 10, 5, 5]);
});

test("cards whose column is missing from the version get a column of their own", async () => {
  const board = boardOf([cardOf("1", { columnId: "lost" }), cardOf("2", { columnId: "lost too" })]);
  const page = await boardPage(board, open);
  expect(titles(page)).toEqual([["To do"], ["Done"], ["", "1", "2"]]);
  const found = await boardColumn(board, { ...open, columnId: "-", after: "1" });
  expect(found.cards.map(({ id }) => id)).toEqual(["2"]);
});

test("a missing column, key or card is not found", async () => {
  const board = boardOf([cardOf("1")]);
  const missing = new AppError("err.not.found");
  await expect(boardColumn(board, { ...open, columnId: "x", after: null })).rejects.toThrow(missing);
  await expect(boardColumn(board, { ...open, columnId: "todo", after: "9" })).rejects.toThrow(missing);
  const version = versionWith(board);
  const card = { viewId: null, cardId: "9", commentsAfter: null, historyAfter: null };
  await expect(readCardPage(version, card)).rejects.toThrow(missing);
  await expect(readCardPage(version, { ...card, cardId: "1", viewId: "x" })).rejects.toThrow(missing);
  expect(await readCardPage(version, { ...card, cardId: "1" })).toMatchObject({
    view: { kind: "board", id: "board", label: "Board" },
    words: WORDS,
    column: "To do",
  });
});
