import { expect, test } from "vitest";
import type { BoardCardDetail, BoardColumn, BoardView } from "#connectors/contract/board-view.ts";
import type { Note } from "#connectors/contract/note.ts";
import { compareColumns } from "./compare-columns.ts";
import { comparePart } from "./compare-part.ts";
import { compareParts } from "./compare-parts.ts";
import type { EntryDifference } from "./compare-records.ts";
import { openParts } from "./parts-view.ts";

const COLUMNS: BoardColumn[] = [
  { id: "a", path: "lists/a.json", title: "To do", isArchived: false },
  { id: "b", path: "lists/b.json", title: "Done", isArchived: false },
];

function cardOf(id: string, more: Partial<BoardCardDetail> = {}): BoardCardDetail {
  return {
    id,
    path: `cards/${id}/card.json`,
    columnId: "a",
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
    rank: 1,
    url: null,
    text: "",
    fields: [],
    checklists: [],
    files: [],
    ...more,
  };
}

function boardOf(
  cards: BoardCardDetail[],
  { columns = COLUMNS, comments = {} }: { columns?: BoardColumn[]; comments?: Record<string, string> } = {},
): BoardView & { read: string[] } {
  const read: string[] = [];
  return {
    read,
    words: {
      card: { one: "card", many: "cards" },
      column: { one: "list", many: "lists" },
      people: "members",
      away: "archived",
    },
    facts: async () => ({ title: "", text: "", url: null, isArchived: false }),
    columns: async () => columns,
    cards: () => {
      throw new Error("A comparison does not read all cards.");
    },
    card: async (id) => {
      read.push(id);
      return cards.find((card) => card.id === id) ?? null;
    },
    comments: async () => ({ notes: [], next: null }),
    comment: async (path): Promise<Note | null> => {
      const text = comments[path];
      const bare = { about: null, answers: null, reactions: [], files: [] };
      return text === undefined
        ? null
        : { ...bare, path, type: "comment", author: "Ivo", at: 5, editedAt: null, text };
    },
    history: async () => ({ notes: [], next: null }),
    roleOf: () => null,
  };
}

const open = (board: BoardView) =>
  openParts({ kind: "board", id: "board", label: "Board", open: async () => board });
const both = async (before: BoardView, after: BoardView) => ({
  before: await open(before),
  after: await open(after),
});

type Change = EntryDifference["change"];
const card = (id: string, change: Change): EntryDifference => ({
  role: { role: "part", id },
  path: `cards/${id}/card.json`,
  title: `Card ${id}`,
  change,
});
const below = (
  role: "comment" | "note" | "event",
  partId: string,
  name: string,
  change: Change,
): EntryDifference => ({
  role: { role, partId },
  path: `comments/${partId}/${name}.json`,
  title: "",
  change,
});
const comment = (partId: string, name: string, change: Change) => below("comment", partId, name, change);
const column = (id: string, change: Change): EntryDifference => ({
  role: { role: "column", id },
  path: `lists/${id}.json`,
  title: "",
  change,
});

test("cards are reported as moved, reordered, archived, edited, commented, removed or added", async () => {
  const before = boardOf([
    cardOf("1"),
    cardOf("2"),
    cardOf("3"),
    cardOf("4", { title: "Old", people: ["Ivo", "Åsa"], fields: [{ name: "Tonnes", value: "4" }] }),
    cardOf("5"),
    cardOf("6", { isArchived: true }),
    cardOf("7"),
  ]);
  const after = boardOf([
    cardOf("1", { columnId: "b", rank: 9 }),
    cardOf("2", { rank: 3 }),
    cardOf("3", { isArchived: true }),
    cardOf("4", { title: "New", people: ["Åsa", "Ivo"], fields: [{ name: "Tonnes", value: "5" }] }),
    cardOf("6"),
    cardOf("7"),
    cardOf("8", { columnId: "b" }),
    cardOf("9"),
  ]);
  const cards = await compareParts(await both(before, after), [
    ...["1", "2", "3", "4", "6"].map((id) => card(id, "changed")),
    card("5", "removed"),
    comment("7", "x", "added"),
    comment("7", "y", "changed"),
    card("8", "added"),
    card("9", "changed"),
  ]);
  expect(cards).toMatchObject({ added: 1, changed: 7, removed: 1 });
  expect(cards.rows.map(({ partId, change, what }) => [partId, change, what])).toEqual([
    ["5", "removed", []],
    ["1", "changed", [{ type: "moved", from: "To do", to: "Done" }]],
    ["2", "changed", [{ type: "reordered" }]],
    ["3", "changed", [{ type: "archived" }]],
    [
      "4",
      "changed",
      [
        { type: "field", field: "title" },
        { type: "own", name: "Tonnes" },
      ],
    ],
    ["6", "changed", [{ type: "returned" }]],
    ["7", "changed", [{ type: "comments", added: 1, changed: 1, removed: 0 }]],
    ["9", "changed", []],
    ["8", "added", []],
  ]);
  expect(cards.rows.at(-1)?.place).toBe("Done");
});

test("a difference that the board does not show is reported as other", async () => {
  const views = await both(boardOf([cardOf("1")]), boardOf([cardOf("1")]));
  const { rows } = await compareParts(views, [card("1", "changed")]);
  expect(rows[0]?.what).toEqual([{ type: "other" }]);
  const told = await compareParts(views, [card("1", "changed"), below("event", "1", "x", "added")]);
  expect(told.rows[0]?.what).toEqual([{ type: "events" }]);
});

test("a note counts as a comment only if its record is one", async () => {
  const views = await both(
    boardOf([cardOf("1")], { comments: { "comments/1/z.json": "Gone" } }),
    boardOf([cardOf("1")], { comments: { "comments/1/x.json": "New" } }),
  );
  const notes = [
    below("note", "1", "x", "added"),
    below("note", "1", "y", "added"),
    below("note", "1", "z", "removed"),
  ];
  const { rows } = await compareParts(views, notes);
  expect(rows[0]?.what).toEqual([{ type: "comments", added: 1, changed: 0, removed: 1 }]);
  const opened = await comparePart(views, { partId: "1", entries: notes });
  expect(opened?.comments.map(({ change, before, after }) => [change, before, after])).toEqual([
    ["added", null, "New"],
    ["removed", "Gone", null],
  ]);
});

test("the parts of a view that only one version has are all added or removed", async () => {
  const view = await open(boardOf([cardOf("1")]));
  const gone = await compareParts({ before: view, after: null }, [card("1", "removed")]);
  expect(gone).toMatchObject({ removed: 1, rows: [{ title: "Card 1", change: "removed", place: "To do" }] });
  const made = await compareParts({ before: null, after: view }, [card("1", "added")]);
  expect(made).toMatchObject({ added: 1, rows: [{ title: "Card 1", change: "added" }] });
});

test("thousands of changed cards are all counted, and only the listed ones are read", async () => {
  const many = Array.from({ length: 5_000 }, (_, at) => cardOf(String(at)));
  const [before, after] = [boardOf(many), boardOf(many)];
  const entries = many.map(({ id }) => card(id, "changed"));
  const cards = await compareParts(await both(before, after), entries);
  expect(cards).toMatchObject({ changed: 5_000 });
  expect(cards.rows).toHaveLength(50);
  expect(before.read.length + after.read.length).toBe(100);
});

test("columns are reported as renamed, archived, moved, added or removed", async () => {
  const young: BoardColumn[] = [
    { id: "a", path: null, title: "Later", isArchived: true },
    { id: "b", path: null, title: "Done", isArchived: false },
    { id: "c", path: null, title: "Fresh", isArchived: false },
  ];
  const boards = { before: boardOf([]), after: boardOf([], { columns: young }) };
  const columns = await compareColumns(boards, [
    card("1", "changed"),
    column("a", "changed"),
    column("b", "changed"),
    column("c", "added"),
  ]);
  expect(columns).toMatchObject({ added: 1, changed: 2, removed: 0 });
  expect(columns.rows.map(({ title, change, what }) => [title, change, what])).toEqual([
    ["Later", "changed", [{ type: "renamed", from: "To do" }, { type: "archived" }]],
    ["Done", "changed", [{ type: "reordered" }]],
    ["Fresh", "added", []],
  ]);
});

test("an opened card lists each field before and after, long texts line by line, and each comment", async () => {
  const long = (word: string) => `${"A line that stays.\n".repeat(8)}${word}\n`;
  const before = boardOf([cardOf("1", { text: long("one"), dueAt: 1_000, tags: [] })], {
    comments: { "comments/1/x.json": "Hello", "comments/1/z.json": "Gone" },
  });
  const after = boardOf(
    [
      cardOf("1", {
        text: long("three"),
        dueAt: null,
        columnId: "b",
        tags: [{ name: "", hue: "gray", shade: "dark" }],
        checklists: [{ title: "Papers", items: [{ text: "CMR", isDone: true, dueAt: null, person: null }] }],
      }),
    ],
    { comments: { "comments/1/x.json": "Hello!", "comments/1/y.json": "New" } },
  );
  const views = await both(before, after);
  const compared = await comparePart(views, {
    partId: "1",
    entries: [
      comment("1", "x", "changed"),
      comment("1", "y", "added"),
      comment("1", "z", "removed"),
      comment("2", "x", "added"),
    ],
  });
  const fields = compared?.fields.map(({ field, name, before: was, after: is }) => [field ?? name, was, is]);
  expect(fields?.filter(([name]) => name !== "text")).toEqual([
    ["column", "To do", "Done"],
    ["tags", null, "dark grey"],
    ["Papers", null, "☑ CMR"],
    ["due", "1000", null],
  ]);
  const marks = compared?.fields
    .find(({ field }) => field === "text")
    ?.text?.parts.flat()
    .filter(({ change }) => change !== "same")
    .map(({ change, text }) => [change, text]);
  expect(marks).toEqual([
    ["removed", "one"],
    ["added", "three"],
  ]);
  expect(compared?.comments.map(({ change, before: was, after: is }) => [change, was, is])).toEqual([
    ["changed", "Hello", "Hello!"],
    ["added", null, "New"],
    ["removed", "Gone", null],
  ]);
  expect(await comparePart(views, { partId: "9", entries: [] })).toBeNull();
});
