import { afterAll, beforeAll, expect, test } from "vitest";
import type { BoardView, SearchedCard } from "#connectors/contract/board-view.ts";
import type { MemorySnapshot } from "#tests/conformance/memory-snapshot.ts";
import { allOf } from "#tests/harness/all-of.ts";
import { openBench, type TrelloBench } from "../test-bench.ts";
import { boardView } from "./board-view.ts";

let bench: TrelloBench;
let snapshot: MemorySnapshot;
let board: BoardView;
/** List by list, each from top to bottom. */
let cards: SearchedCard[];
beforeAll(async () => {
  bench = await openBench();
  snapshot = await bench.backUp(await bench.world.makeBoard("Harbour works, seen"));
  board = boardView(snapshot);
  const columns = (await board.columns()).map(({ id }) => id);
  cards = await allOf(board.cards());
  cards.sort(
    (one, other) =>
      columns.indexOf(one.columnId) - columns.indexOf(other.columnId) ||
      Number(one.rank) - Number(other.rank),
  );
});
afterAll(() => bench.world.stop());

test("a version shows its lists in order with their cards from the top", async () => {
  expect((await board.columns()).map(({ title, isArchived }) => [title, isArchived])).toEqual([
    ["Backlog", false],
    ["On the road", false],
    ["Waiting at the border", false],
    ["Delivered", true],
  ]);
  expect(await board.facts()).toMatchObject({ title: "Harbour works, seen", isArchived: false });
  const [first] = await board.columns();
  expect(cards.filter(({ columnId }) => columnId === first?.id).map(({ title }) => title)).toEqual([
    "  leading spaces and a tab\t",
    "Ünïcödé – “quotes” & amps; 100% #1?",
    '=HYPERLINK("http://localhost")',
  ]);
  expect(cards).toHaveLength(10);
});

test("the front of a card shows the same as Trello's", () => {
  expect(cards[0]).toMatchObject({
    isArchived: false,
    tags: [
      { name: "urgent", hue: "red", shade: "normal" },
      { name: "", hue: "green", shade: "normal" },
      { name: "no colour", hue: null, shade: "normal" },
    ],
    dueAt: Date.parse("2026-12-01T08:00:00.000Z"),
    checks: { done: 2, total: 4 },
    fileCount: 5,
    hasText: true,
    badges: ["1 vote", "Stickers: thumbsup, taco-cool"],
  });
  expect(cards[0]?.people).toHaveLength(2);
  expect(cards[0]?.commentCount).toBeGreaterThan(4);
  expect(cards[0]?.cover?.picture).toMatch(/^cards\/[0-9a-f]{24}\/attachments\/[0-9a-f]{24}$/);
  expect(cards.filter(({ isArchived }) => isArchived)).toHaveLength(1);
  expect(cards.map(({ role }) => role).filter((role) => role !== null)).toEqual(["Separator", "Template"]);
  expect(cards.map(({ cover }) => cover).filter((cover) => cover?.hue)).toEqual([
    { hue: "pink", shade: "normal", picture: null },
  ]);
  expect(cards[0]?.words).toContain("Insurance");
});

test("an opened card shows its text, fields, checklists and files, with downloads for stored files", async () => {
  const card = await board.card(cards[0]?.id ?? "");
  expect(card?.text).toContain("**0**");
  expect(card?.fields).toEqual(
    expect.arrayContaining([
      { name: "Tonnes", value: "24.75" },
      { name: "Depot", value: "Göteborg" },
      { name: "ADR?", value: "Yes" },
      { name: "Crossing", value: "2026-11-24 06:15 UTC" },
      { name: "Stickers", value: "thumbsup, taco-cool" },
      { name: "Location", value: "Quay 7, Skeppsbron 1, Göteborg" },
    ]),
  );
  expect(card?.checklists.map(({ title, items }) => [title, items.length])).toEqual([
    ["Papers ✓", 4],
    ["Nothing in it", 0],
  ]);
  expect(card?.checklists[0]?.items[1]).toMatchObject({ text: "**T1**", isDone: false });
  const held = card?.files.filter(({ path }) => path !== null) ?? [];
  expect(held).toHaveLength(4);
  for (const { path } of held) expect(await snapshot.find(path ?? "")).toMatchObject({ type: "stream" });
  expect(card?.files.find(({ url }) => url !== null)).toMatchObject({
    name: "Timetable",
    url: "https://ferries.example/timetable?a=1&b=2",
    path: null,
  });
  expect(await board.card("../board")).toBeNull();
  expect(await board.card("")).toBeNull();
});

test("comments are listed newest first in pages without duplicates, including those of former members", async () => {
  const id = cards[0]?.id ?? "";
  const seen: string[] = [];
  const texts: string[] = [];
  let after: string | null = null;
  do {
    const page = await board.comments(id, { after, most: 2 });
    expect(page.notes.length).toBeLessThanOrEqual(2);
    seen.push(...page.notes.map(({ path }) => path));
    texts.push(...page.notes.map(({ text }) => text));
    after = page.next;
  } while (after !== null);
  expect(seen).toEqual(seen.toSorted().toReversed());
  expect(new Set(seen).size).toBe(cards[0]?.commentCount);
  expect(texts[0]).toBe("I am leaving this board.");
  const oldest = (await board.comments(id, { after: null, most: 100 })).notes.at(-1);
  expect(oldest?.reactions).toEqual([{ sign: "👍", count: 1 }]);
  const edited = (await board.comments(id, { after: null, most: 100 })).notes.at(-2);
  expect(edited?.editedAt).not.toBeNull();
});

test("the history of a card lists only its own events as sentences", async () => {
  const moved = cards.find(({ title }) => title.startsWith("CON"));
  const { notes } = await board.history(moved?.id ?? "", { after: null, most: 100 });
  expect(notes.at(-1)?.text).toBe("made this card in Backlog");
  expect(notes.map(({ text }) => text)).toContain("moved this card from Backlog to Delivered");
  expect(notes.every(({ author, at }) => author !== null && at !== null)).toBe(true);
  const rich = await board.history(cards[0]?.id ?? "", { after: null, most: 100 });
  expect(rich.notes.map(({ text }) => text)).toEqual(
    expect.arrayContaining(["attached Timetable", "added the checklist Papers ✓", "set the due date"]),
  );
});

test("the histories of all cards list the board's once, and their pages hold every entry, newest first", async () => {
  const listed: string[] = [];
  const counted = {
    ...snapshot,
    list: (prefix = "", after = "") => {
      listed.push(prefix);
      return snapshot.list(prefix, after);
    },
  };
  const other = boardView(counted);
  for (const { id, path } of cards) {
    const paths: string[] = [];
    let after: string | null = null;
    do {
      const { notes, next } = await other.history(id, { after, most: 2 });
      expect(notes.length).toBeLessThanOrEqual(2);
      paths.push(...notes.map((note) => note.path));
      after = next;
    } while (after !== null);
    const own = [...snapshot.entries.values()].filter(
      ({ info }) => info.kind === "action" && info.parent === path,
    );
    expect(paths).toEqual(
      own
        .map(({ info }) => info.path)
        .sort()
        .reverse(),
    );
  }
  expect(listed.filter((prefix) => prefix === "actions/")).toHaveLength(1);
  expect((await other.history("no id", { after: null, most: 2 })).notes).toEqual([]);
});

test("entries of a version have roles as parts of the board", async () => {
  const roles = new Map<string, number>();
  for await (const entry of snapshot.list()) {
    const role = board.roleOf(entry);
    roles.set(role?.role ?? "none", (roles.get(role?.role ?? "none") ?? 0) + 1);
    if (role !== null && "partId" in role) expect(cards.some(({ id }) => id === role.partId)).toBe(true);
    if (role?.role === "part") expect(cards.some(({ id }) => id === role.id)).toBe(true);
  }
  expect(Object.fromEntries(roles)).toMatchObject({ column: 4, part: 10, file: 4 });
});
