import { afterAll, beforeAll, expect, test } from "vitest";
import { boardPage } from "#core/browsing/read-board.ts";
import { asNew } from "#tests/conformance/restore-orders.ts";
import { connector } from "../connector.ts";
import { boardView } from "../read/board-view.ts";
import { eventsOf, openBench, type TrelloBench } from "../test-bench.ts";
import type { BoardReference } from "../test-world.ts";

let bench: TrelloBench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.world.stop());

/** A board as the simulator holds it. */
function stateOf({ externalId }: BoardReference) {
  const found = bench.world.simulator.world.state.boards.find(({ id }) => id === externalId);
  if (found === undefined) throw new Error(`There is no board ${externalId}`);
  return found;
}

test("a board, list or card that the account watches is watched again, and nothing else is", async () => {
  const board = await bench.world.makeBoard("Watched");
  const state = stateOf(board);
  const me = bench.world.memberId;
  for (const card of state.cards) card.subscribers = [];
  state.subscribers = [me];
  state.lists[1]?.subscribers.push(me);
  const [first, second] = state.cards;
  first?.subscribers.push(me, "5e40446acc3ae64e435cab00");
  second?.subscribers.push("5e40446acc3ae64e435cab00");
  const { item } = await bench.restore(await bench.backUp(board), "Watched again");
  const restored = stateOf(item);
  expect(restored.subscribers).toEqual([me]);
  const watched = <T extends { name: string; subscribers: string[] }>(all: readonly T[]) =>
    all.filter(({ subscribers }) => subscribers.includes(me)).map(({ name }) => name);
  expect(watched(restored.lists)).toEqual([state.lists[1]?.name]);
  expect(watched(restored.cards)).toEqual([first?.name]);
});

test("the colour of a list is in the version, and plan and report say that Trello takes none", async () => {
  const board = await bench.world.makeBoard("Coloured");
  const [list] = stateOf(board).lists;
  if (list) list.color = "green";
  const version = await bench.backUp(board);
  expect(await version.readRecord(`lists/${list?.id}.json`)).toMatchObject({ color: "green" });
  const line = expect.objectContaining({ what: "Colours of 1 list" });
  const plan = await connector.planRestore(bench.session(), version, asNew("Again"));
  expect(plan.impossible).toContainEqual(line);
  const { events } = await bench.restore(version, "Again");
  expect(eventsOf(events, "impossible")).toContainEqual(line);
});

test("a restored comment counts the reactions to the original in its first lines", async () => {
  const board = await bench.world.makeBoard("Liked");
  const original = stateOf(board).actions.find(
    ({ type, reactions }) => type === "commentCard" && reactions.length > 0,
  );
  expect(original).toBeDefined();
  const { item } = await bench.restore(await bench.backUp(board), "Liked again");
  const texts = stateOf(item).actions.flatMap(({ data }) => {
    const { text } = data as { text?: string };
    return text?.includes("Reactions: ") ? [text] : [];
  });
  expect(texts[0]).toContain(`> Reactions: ${original?.reactions[0]?.emoji}`);
});

test("a search in a board finds words of comments, which are read for a search only", async () => {
  const board = await bench.world.makeBoard("Searched");
  const [card] = stateOf(board).cards;
  await bench.world.happen(`/cards/${card?.id}/comments`, { text: "The Göta canal is frozen" });
  const version = await bench.backUp(board);
  const read: string[] = [];
  const watched = {
    ...version,
    list: version.list.bind(version),
    readRecord: (path: string) => {
      read.push(path);
      return version.readRecord(path);
    },
  } as typeof version;
  const found = await boardPage(boardView(watched), { search: "gota canal", hasArchived: true });
  expect(found.columns.flatMap(({ cards }) => cards.map(({ title }) => title))).toEqual([card?.name]);
  read.length = 0;
  await boardPage(boardView(watched), { search: null, hasArchived: true });
  expect(read.filter((path) => path.startsWith("comments/"))).toEqual([]);
});
