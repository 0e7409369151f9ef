import { afterAll, beforeAll, expect, test } from "vitest";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { RestoreOrder, RestoreTarget } from "#connectors/contract/platform-connector.ts";
import type { MemorySnapshot } from "#tests/conformance/memory-snapshot.ts";
import { memoryJournal, runRestore, type TestSession } from "#tests/conformance/test-session.ts";
import { samplePoints, sweep } from "#tests/harness/sample.ts";
import { connector } from "../connector.ts";
import type { BoardDump } from "../simulator/dump-board.ts";
import type { Board } from "../simulator/state.ts";
import { eventsOf, openBench, pathsBelow, type TrelloBench } from "../test-bench.ts";
import type { BoardReference } from "../test-world.ts";

/** How many calls to crash a restore at, spread from the first to the last. */
const DEATHS = 8;

let bench: TrelloBench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.world.stop());

const stateOf = ({ externalId }: BoardReference): Board => {
  const found = bench.world.simulator.world.state.boards.find(({ id }) => id === externalId);
  if (!found) throw new Error("The board is not there");
  return found;
};
const cardNamed = (board: BoardReference, part: string) => {
  const found = stateOf(board).cards.find(({ name }) => name.includes(part));
  if (!found) throw new Error(`There is no card ${part}`);
  return found;
};
const listNamed = (board: BoardReference, name: string) => {
  const found = stateOf(board).lists.find((list) => list.name === name);
  if (!found) throw new Error(`There is no list ${name}`);
  return found;
};

type PartOrder = { path: string; into: RestoreTarget };

const orderOf = ({ path, into }: PartOrder): RestoreOrder => ({ target: into, part: path, answers: {} });

function restorePart(
  snapshot: MemorySnapshot,
  order: PartOrder,
  {
    journal = memoryJournal(),
    by = bench.session(),
  }: { journal?: ReturnType<typeof memoryJournal>; by?: TestSession } = {},
) {
  return runRestore(connector.restore(by, snapshot, orderOf(order), journal));
}

const into = (board: BoardReference): RestoreTarget => ({
  kind: "existing",
  item: { externalId: board.externalId, name: board.fullName, fullName: board.fullName },
});
const intoNew = (name: string): RestoreTarget => ({
  kind: "new",
  name,
  place: bench.placeOf(),
});
const cardPath = (id: string) => `cards/${id}/card.json`;

/** Everything on a board by id, to detect changed and missing things. */
function contentsOf(board: BoardReference): Map<string, string> {
  const { cards, lists, labels, customFields, name, desc, prefs } = stateOf(board);
  const all = new Map<string, string>([["board", JSON.stringify({ name, desc, prefs })]]);
  for (const thing of [...cards, ...lists, ...labels, ...customFields])
    all.set(thing.id, JSON.stringify(thing));
  return all;
}

/** Ids of added things. Fails when an existing thing has changed. */
function addedSince(board: BoardReference, before: ReadonlyMap<string, string>): string[] {
  const now = contentsOf(board);
  for (const [id, content] of before) expect(now.get(id), id).toBe(content);
  return [...now.keys()].filter((id) => !before.has(id));
}

/** A card without the fields that always differ. */
function comparable(dump: BoardDump, name: string): string {
  const cards = dump.lists.flatMap((list) => list.cards).filter((card) => card.name.includes(name));
  return JSON.stringify(cards, (key, value) => (["date", "pos"].includes(key) ? undefined : value));
}

test("a deleted card is restored to its old list and position, and the rest of the board is unchanged", async () => {
  const board = await bench.world.makeBoard("Lost card");
  const snapshot = await bench.backUp(board);
  const lost = cardNamed(board, "leading spaces");
  const wanted = JSON.parse(comparable(await bench.world.dump(board), "leading spaces"))[0];
  await bench.world.happen(`/cards/${lost.id}/delete`, {});
  const before = contentsOf(board);
  const { log } = bench.world.simulator;
  const from = log.requests().length;
  const { item, events } = await restorePart(snapshot, { path: cardPath(lost.id), into: into(board) });
  // A board may have more cards than one response holds.
  const lists = log
    .requests()
    .slice(from)
    .filter(({ path }) => /\/boards\/[^/]+\/cards\?/.test(path));
  expect(lists.map(({ path }) => path)).toEqual([expect.stringContaining("limit=1000")]);
  const added = addedSince(board, before);
  expect(added).toHaveLength(1);
  const card = cardNamed(board, "leading spaces");
  expect(card).toMatchObject({ idList: lost.idList, pos: lost.pos, idLabels: lost.idLabels });
  const found = JSON.parse(comparable(await bench.world.dump(board), "leading spaces"))[0];
  for (const key of ["name", "desc", "due", "start", "checklists", "labels", "customFields", "stickers"])
    expect(found[key], key).toEqual(wanted[key]);
  expect(found.attachments?.length).toBe(wanted.attachments?.length);
  expect(found.comments).toHaveLength(wanted.comments.length);
  expect(item).toMatchObject({ externalId: board.externalId });
  expect(item.webUrl).toContain(card.shortLink);
  expect(eventsOf(events, "mapped")).toMatchObject([
    { kind: "card", from: lost.shortLink, to: card.shortLink },
  ]);
  expect(eventsOf(events, "restored")).toContainEqual({ type: "restored", kind: "card", count: 1 });
  expect(eventsOf(events, "restored").some(({ kind }) => ["board", "list", "label"].includes(kind))).toBe(
    false,
  );
  expect(bench.world.simulator.log.refusals()).toEqual([]);
});

test("restoring an existing card adds a second one and leaves the first unchanged", async () => {
  const board = await bench.world.makeBoard("Twice");
  const snapshot = await bench.backUp(board);
  const { id } = cardNamed(board, "CON");
  const before = contentsOf(board);
  await restorePart(snapshot, { path: cardPath(id), into: into(board) });
  expect(
    addedSince(board, before).filter((each) => stateOf(board).cards.some((card) => card.id === each)),
  ).toHaveLength(1);
});

test("on another board a card uses existing lists and labels, adds missing ones, and writes unknown fields as text", async () => {
  const board = await bench.world.makeBoard("From here");
  const snapshot = await bench.backUp(board);
  const other = await bench.world.makeBoard("To there", { content: "empty" });
  await bench.world.happen(`/boards/${other.externalId}/lists`, { name: "Backlog" });
  const before = contentsOf(other);
  const { events } = await restorePart(snapshot, {
    path: cardPath(cardNamed(board, "leading spaces").id),
    into: into(other),
  });
  const { lists, labels, customFields } = stateOf(other);
  expect(lists.filter(({ name }) => name === "Backlog")).toHaveLength(1);
  expect(customFields).toEqual([]);
  const card = cardNamed(other, "leading spaces");
  expect(card.idList).toBe(listNamed(other, "Backlog").id);
  expect(card.desc).toContain("- Tonnes: 24.75");
  expect(card.idLabels).toHaveLength(3);
  expect(addedSince(other, before)).toEqual(expect.arrayContaining([card.id, ...card.idLabels]));
  expect(labels.filter(({ id }) => !before.has(id)).length).toBeLessThanOrEqual(3);
  expect(eventsOf(events, "changed").map(({ what }) => what)).toContain("Custom field Tonnes");

  const now = contentsOf(other);
  await restorePart(snapshot, { path: cardPath(cardNamed(board, "leading spaces").id), into: into(other) });
  expect(addedSince(other, now)).toHaveLength(1);
});

test("a list is restored beside one of the same name with all its cards, open even if it was archived", async () => {
  const board = await bench.world.makeBoard("Lists");
  const snapshot = await bench.backUp(board);
  const old = listNamed(board, "Delivered");
  const before = contentsOf(board);
  const { item, events } = await restorePart(snapshot, { path: `lists/${old.id}.json`, into: into(board) });
  const lists = stateOf(board).lists.filter(({ name }) => name === "Delivered");
  expect(lists.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  const added = addedSince(board, before);
  const cards = stateOf(board).cards.filter(({ id }) => added.includes(id));
  expect(cards.map(({ name, idList }) => [name, idList])).toEqual([["CON", lists[1]?.id]]);
  expect(item.name).toBe("Delivered");
  expect(eventsOf(events, "changed").map(({ what }) => what)).toContain("Archived state of the list");
});

test("a card restored to a new board brings only its list, labels and fields", async () => {
  const board = await bench.world.makeBoard("Whole");
  const snapshot = await bench.backUp(board);
  const before = contentsOf(board);
  await restorePart(snapshot, {
    path: cardPath(cardNamed(board, "line one").id),
    into: intoNew("Own board"),
  });
  expect(addedSince(board, before)).toEqual([]);
  const [made] = bench.world.boardsNamed("Own board");
  const own = { externalId: made?.id ?? "", fullName: "Own board" };
  expect(stateOf(own)).toMatchObject({ lists: [{ name: expect.any(String) }], labels: [] });
  expect(stateOf(own).cards.map(({ name }) => name)).toEqual(["line one\nline two"]);
  expect(stateOf(own).desc).toBe(stateOf(board).desc);
});

test("a restore creates what its plan says", async () => {
  const board = await bench.world.makeBoard("Planned");
  const snapshot = await bench.backUp(board);
  const other = await bench.world.makeBoard("Planned into", { content: "empty" });
  const orders: PartOrder[] = [
    { path: cardPath(cardNamed(board, "leading spaces").id), into: into(board) },
    { path: `lists/${listNamed(board, "Backlog").id}.json`, into: into(other) },
    { path: `lists/${listNamed(board, "Backlog").id}.json`, into: intoNew("Planned anew") },
  ];
  for (const order of orders) {
    const plan = await connector.planRestore(
      { accountName: bench.world.accountName },
      snapshot,
      orderOf(order),
    );
    const from = bench.world.simulator.log.requests().length;
    const { events } = await restorePart(snapshot, order);
    const calls = bench.world.simulator.log.requests().length - from;
    const counts = (kind: string) =>
      eventsOf(events, "restored")
        .filter((event) => event.kind === kind)
        .reduce((sum, { count }) => sum + count, 0);
    for (const { kind, count } of plan.creates) expect([kind, counts(kind)]).toEqual([kind, count]);
    const told = (type: "changed" | "impossible") => eventsOf(events, type).map(({ what }) => what);
    for (const { what } of plan.impossible) expect(told("impossible")).toContain(what);
    expect(calls).toBeGreaterThan((plan.cost.reads + plan.cost.writes) * 0.7);
    expect(calls).toBeLessThan((plan.cost.reads + plan.cost.writes) * 1.3);
  }
}, 60_000);

test("an entry that is no card or list, and an archived or missing board, is refused before anything is created", async () => {
  const board = await bench.world.makeBoard("Refused");
  const snapshot = await bench.backUp(board);
  const [label] = pathsBelow(snapshot, "labels/");
  const refuse = async (order: PartOrder, message: RegExp) => {
    const error = await restorePart(snapshot, order).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ConnectorError);
    expect((error as ConnectorError).message).toMatch(message);
    expect((error as ConnectorError).kind).toBe("unsupported");
  };
  await refuse({ path: label ?? "", into: into(board) }, /Only cards and lists/);
  await refuse({ path: "cards/../board.json", into: into(board) }, /Only cards and lists/);
  const path = cardPath(cardNamed(board, "CON").id);
  const closed = await bench.world.makeBoard("Closed", { content: "empty" });
  await bench.world.happen(`/boards/${closed.externalId}/edit`, { isClosed: true });
  const before = contentsOf(closed);
  await refuse({ path, into: into(closed) }, /archived/);
  expect(addedSince(closed, before)).toEqual([]);
  const gone = await bench.world.makeBoard("Gone", { content: "empty" });
  await bench.world.happen(`/boards/${gone.externalId}/delete`, {});
  await refuse({ path, into: into(gone) }, /no longer at Trello/);
});

/** A session that crashes at the n-th call: Trello handles it, but the response is lost. */
function mortalSession(death: number): TestSession {
  let calls = 0;
  return bench.session({
    fetch: async (url, init) => {
      calls += 1;
      if (calls > death) throw new Error("The worker is dead.");
      const response = await fetch(url, init);
      if (calls < death) return response;
      await response.arrayBuffer();
      throw new Error("The worker died.");
    },
  });
}

test.each(["card", "list"] as const)(
  "a restore of a %s that is interrupted at any call and restarted adds everything once",
  async (kind) => {
    const board = await bench.world.makeBoard(`Mortal ${kind}`);
    const snapshot = await bench.backUp(board);
    const path =
      kind === "card"
        ? cardPath(cardNamed(board, "leading spaces").id)
        : `lists/${listNamed(board, "Backlog").id}.json`;
    const name = "leading spaces";
    const targetOf = async (title: string) => {
      const made = await bench.world.makeBoard(title, { content: "empty" });
      const list = await bench.world.happen<{ id: string }>(`/boards/${made.externalId}/lists`, {
        name: "Backlog",
      });
      // An older card that looks just like ours.
      await bench.world.happen(`/boards/${made.externalId}/cards`, {
        list: list.id,
        name: cardNamed(board, name).name,
      });
      return made;
    };
    const whole = await targetOf("Whole");
    const counting = bench.session();
    const { events } = await restorePart(snapshot, { path, into: into(whole) }, { by: counting });
    const wanted = comparable(await bench.world.dump(whole), name);
    const counted = contentsOf(whole).size;
    const calls = counting.requests.length;
    expect(calls).toBeGreaterThan(25);
    await sweep(async () => {
      for (const death of samplePoints(calls, DEATHS)) {
        const target = await targetOf(`Mortal ${death}`);
        const before = contentsOf(target);
        const journal = memoryJournal();
        const order = { path, into: into(target) };
        const died = await restorePart(snapshot, order, { journal, by: mortalSession(death) }).then(
          () => false,
          () => true,
        );
        expect(died, `death at call ${death} of ${calls}`).toBe(true);
        const again = await restorePart(snapshot, order, { journal });
        addedSince(target, before);
        expect(comparable(await bench.world.dump(target), name), `death at call ${death}`).toBe(wanted);
        expect(contentsOf(target).size, `death at call ${death}`).toBe(counted);
        expect(eventsOf(again.events, "restored"), `death at call ${death}`).toEqual(
          eventsOf(events, "restored"),
        );
      }
    });
  },
  300_000,
);
