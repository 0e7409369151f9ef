import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import type { EntryInfo, SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { connector } from "#connectors/platforms/trello/connector.ts";
import { readBoardColumn, readBoardPage, type Viewed } from "#core/browsing/index.ts";
import type { Json } from "#core/kernel/canonical-json.ts";

const CARDS = 20_000;
const LISTS = 40;
const COMMENTS = 2;
/** Far below the several thousand bytes of a card in memory. */
const MOST_BYTES_PER_CARD = 64;
/** Number of cards after which memory is measured. */
const EARLY = 2_000;

const idOf = (at: number) => at.toString(16).padStart(24, "0");
const columnAt = (at: number) => idOf(at % LISTS);

/** A large board that generates each record on read, so that only the reader can hold records in memory. */
function largeBoard(onCard: (at: number) => void): SnapshotView {
  const entry = (path: string, kind: string): EntryInfo => ({
    path,
    kind,
    type: "record",
    sizeBytes: 1,
    hash: "",
  });
  async function* list(prefix = "") {
    for (let at = 0; at < LISTS && prefix === "lists/"; at++) yield entry(`lists/${idOf(at)}.json`, "list");
    for (let at = 0; at < CARDS && prefix === "cards/"; at++)
      yield entry(`cards/${idOf(at)}/card.json`, "card");
    for (let at = 0; at < CARDS * COMMENTS && prefix === "comments/"; at++)
      yield entry(`comments/${idOf(Math.floor(at / COMMENTS))}/${idOf(at)}.json`, "comment");
  }
  const readRecord = async (path: string): Promise<Json> => {
    const at = Number.parseInt(path.split("/")[1] ?? "", 16);
    if (path === "board.json") return { id: "b", name: "Large" };
    if (path.startsWith("lists/")) return { id: idOf(at), name: `List ${at}`, pos: at };
    onCard(at);
    const desc = Array.from(
      { length: 50 },
      (_, line) => `Line ${line} of card ${at}, which says little.`,
    ).join("\n");
    // Positions descend as ids ascend, so the first cards of a list are read last.
    return { id: idOf(at), name: `Card ${at}`, desc, pos: CARDS - at, idList: columnAt(at) };
  };
  const find = async (path: string) => (path.startsWith("cards/") ? entry(path, "card") : null);
  return { list, readRecord, find, counts: () => ({ card: CARDS }) } as unknown as SnapshotView;
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

function usedBytes(): number {
  collectGarbage();
  return getHeapStatistics().used_heap_size;
}

test("memory for a board of 20,000 cards does not grow with the number of cards", async () => {
  const used = { early: 0, late: 0 };
  const view = largeBoard((at) => {
    if (at === EARLY) used.early = usedBytes();
    if (at === CARDS - 1) used.late = usedBytes();
  });
  const open = { connector, view } as unknown as Viewed;
  const page = await readBoardPage(open, { viewId: null, search: null, hasArchived: false });
  expect((used.late - used.early) / (CARDS - EARLY)).toBeLessThan(MOST_BYTES_PER_CARD);
  expect([page.cardCount, page.columns.length]).toEqual([CARDS, LISTS]);
  const shown = page.columns.map(({ cards }) => cards.map(({ title }) => title));
  expect(shown[0]?.slice(0, 2)).toEqual([`Card ${CARDS - LISTS}`, `Card ${CARDS - 2 * LISTS}`]);
  expect(
    page.columns.every(({ cards }) => cards.every(({ commentCount }) => commentCount === COMMENTS)),
  ).toBe(true);
});

test("every card of a large column is reached in order, page by page", async () => {
  const open = { connector, view: largeBoard(() => {}) } as unknown as Viewed;
  const query = { viewId: "board", search: null, hasArchived: true, columnId: columnAt(7) };
  const first = await readBoardColumn(open, { ...query, after: null });
  const second = await readBoardColumn(open, { ...query, after: first.next });
  const expected = Array.from({ length: CARDS / LISTS }, (_, at) => `Card ${at * LISTS + 7}`).toReversed();
  expect([...first.cards, ...second.cards].map(({ title }) => title)).toEqual(expected.slice(0, 200));
  expect([first.cardCount, second.cardCount]).toEqual([CARDS / LISTS, CARDS / LISTS]);
});
