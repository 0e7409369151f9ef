import { afterAll, beforeAll, expect, test } from "vitest";
import { listActions } from "#core/audit/index.ts";
import { listHistory, requestBackup } from "#core/backups/index.ts";
import { openForReading, readBoardPage, readCardPage } from "#core/browsing/index.ts";
import { comparePartOf, compareVersions, listPartVersions } from "#core/comparisons/index.ts";
import { addItems, type ItemView, listAvailableItems } from "#core/inventory/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { DAY_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { invariant } from "#core/kernel/invariant.ts";
import {
  listRestoreQuestions,
  listRestoreTargets,
  planRestore,
  requestRestore,
} from "#core/restores/index.ts";
import { findUnfinished } from "#tests/harness/check-vault.ts";
import { newestSnapshot } from "#tests/harness/flow-steps.ts";
import { connect, type FlowWorld, openFlowWorld } from "#tests/harness/flow-world.ts";
import { type OutsideTrello, openTrello } from "#tests/harness/outside.ts";
import { deliverWaiting, strike, WHOLE_STRIKE_MS } from "#tests/harness/strike.ts";

// Each test continues where the one before it ended.

const TRELLO = "trello";
const LOGIN = "nora_lindqvist";

let world: FlowWorld;
let trello: OutsideTrello;
let board: { id: string };
let list: { id: string };
let crane: { id: string };
let rope: { id: string };
let item: ItemView;
let first: { id: string };
let second: { id: string };
let stranger: FlowWorld["member"];

beforeAll(async () => {
  trello = await openTrello();
  world = await openFlowWorld({ isConnected: false, vars: trello.vars });
  board = await trello.control("boards", { name: "Harbour works", content: "empty" });
  list = await trello.control(`boards/${board.id}/lists`, { name: "To do" });
  crane = await trello.control(`boards/${board.id}/cards`, { list: list.id, name: "Fix the crane" });
  rope = await trello.control(`boards/${board.id}/cards`, { list: list.id, name: "Buy rope" });
  await trello.control(`cards/${crane.id}/comments`, { text: "Call **Åsa**" });
  await trello.control(`cards/${crane.id}/checklists`, { name: "Papers", items: ["CMR", "T1"] });
  await trello.control(`cards/${crane.id}/attachments`, { name: "scan.txt", text: "the scan" });
  await connect(world, TRELLO, LOGIN);
  const query = {
    platform: TRELLO,
    kind: "board",
    placeId: null,
    name: "Harbour works",
    page: 0,
    perPage: 10,
  };
  const { items } = await listAvailableItems(world.services, world.member, query);
  const externals = items.flatMap(({ externalId }) => (externalId === board.id ? [{ externalId }] : []));
  const order = { platform: TRELLO, kind: "board", placeId: null, externals };
  item = (await addItems(world.services, world.member, order)).added[0]!;
  await world.drain();
  first = await newestSnapshot(world, item.id);
  stranger = await world.stranger();
});
afterAll(async () => {
  await world.close();
  await trello.close();
});

type Dump = {
  lists: { name: string; cards: { name: string; comments: { text: string }[]; attachments: unknown[] }[] }[];
};

async function dump(): Promise<Dump["lists"]> {
  const answer = await fetch(`${trello.url}/__sim/trello/boards/${board.id}/dump`);
  return ((await answer.json()) as Dump).lists;
}

const cardPath = (id: string) => `cards/${id}/card.json`;
const wishFor = (part: string, more: object = {}) => ({
  itemId: item.id,
  snapshotId: first.id,
  part,
  into: { externalId: board.id },
  name: null,
  place: null,
  emails: [],
  ...more,
});

test("a version is read from the vault as a board", async () => {
  const order = { itemId: item.id, snapshotId: first.id };
  const open = await openForReading(world.services, world.member, order);
  const page = await readBoardPage(open, { viewId: null, search: null, hasArchived: false });
  expect(page.columns.map(({ title, cards }) => [title, cards.map((card) => card.title)])).toEqual([
    ["To do", ["Fix the crane", "Buy rope"]],
  ]);
  const asked = { viewId: "board", cardId: crane.id, commentsAfter: null, historyAfter: null };
  const card = await readCardPage(open, asked);
  expect(card.comments.notes.map(({ text }) => text)).toEqual(["Call **Åsa**"]);
  expect(card.history.notes.map(({ text }) => text)).toContain("made this card in To do");
  expect(card.card.files).toMatchObject([{ name: "scan.txt", sizeBytes: 8 }]);
});

test("two versions are compared by card, and a changed card reads no other", async () => {
  await trello.control(`cards/${rope.id}/edit`, { name: "Buy a long rope" });
  await trello.control(`cards/${crane.id}/delete`);
  world.clock.advance(DAY_MS);
  await requestBackup(world.services, world.member, { platform: TRELLO, itemId: item.id });
  await world.drain();
  second = await newestSnapshot(world, item.id);
  const both = { itemId: item.id, beforeId: first.id, afterId: second.id };
  const { views, kinds, parts } = await compareVersions(world.services, world.member, both);
  const [found] = views;
  invariant(found?.kind === "board", "the item is a board");
  expect(found.parts).toMatchObject({ added: 0, changed: 1, removed: 1 });
  expect(found.parts.rows.map(({ title, change, what }) => [title, change, what])).toEqual([
    ["Fix the crane", "removed", []],
    ["Buy a long rope", "changed", [{ type: "field", field: "title" }]],
  ]);
  expect(kinds.map(({ kind }) => kind)).not.toContain("card");
  // Both cards are in the older version.
  expect(Object.keys(parts)).toEqual([cardPath(crane.id), cardPath(rope.id)]);
  const compared = await comparePartOf(world.services, world.member, {
    ...both,
    viewId: "board",
    partId: rope.id,
  });
  expect(compared.fields).toMatchObject([{ field: "title", before: "Buy rope", after: "Buy a long rope" }]);
});

test("a card names the versions in which it changed, before and after the open one", async () => {
  world.clock.advance(DAY_MS);
  await requestBackup(world.services, world.member, { platform: TRELLO, itemId: item.id });
  await world.drain();
  await trello.control(`cards/${rope.id}/comments`, { text: "Longer" });
  world.clock.advance(DAY_MS);
  await requestBackup(world.services, world.member, { platform: TRELLO, itemId: item.id });
  await world.drain();
  const newest = await newestSnapshot(world, item.id);
  const states = async (snapshotId: string, partId: string) => {
    const order = { itemId: item.id, snapshotId, viewId: "board", partId };
    const { versions, isCut } = await listPartVersions(world.services, world.member, order);
    expect(isCut).toBe(false);
    expect(versions.at(-1)?.snapshotId).toBe(first.id);
    return versions.map(({ state }) => state);
  };
  for (const { id } of [first, second, newest])
    expect(await states(id, rope.id)).toEqual(["changed", "same", "changed", "changed"]);
  expect(await states(first.id, crane.id)).toEqual(["absent", "absent", "absent", "changed"]);
  const gone = { itemId: item.id, snapshotId: newest.id, viewId: "board", partId: crane.id };
  const missing = new AppError("err.not.found");
  await expect(listPartVersions(world.services, world.member, gone)).rejects.toThrow(missing);
  const foreign = { ...gone, partId: rope.id };
  await expect(listPartVersions(world.services, stranger, foreign)).rejects.toThrow(missing);
});

test("a part can be planned and restored to the account's own boards and to new ones", async () => {
  const order = { ...wishFor(cardPath(crane.id)), placeId: null, answers: {} };
  const plan = await planRestore(world.services, world.member, order);
  expect(Object.fromEntries(plan.creates.map(({ kind, count }) => [kind, count]))).toEqual({
    ...{ card: 1, checklist: 1, attachment: 1, comment: 1 },
  });
  const anew = await planRestore(world.services, world.member, { ...order, into: null });
  expect(anew.creates.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["board", "list"]));
  const targets = await listRestoreTargets(world.services, world.member, {
    itemId: item.id,
    name: null,
    page: 0,
  });
  expect(targets.items.filter(({ isSource }) => isSource)).toMatchObject([{ externalId: board.id }]);
  expect(targets.places.length).toBeGreaterThan(0);
  expect(await listRestoreQuestions(world.services, world.member, order)).toEqual([]);
  const whole = { ...order, part: null };
  for (const refused of [
    planRestore(world.services, world.member, whole),
    requestRestore(world.services, world.member, { ...whole, emails: [] }),
  ])
    await expect(refused).rejects.toThrow("It needs a new item.");
});

test("an entry that is no card or list, a missing entry, and another organisation's request queue nothing", async () => {
  const { services, member } = world;
  const missing = new AppError("err.not.found");
  for (const path of [
    "board.json",
    "cards/none/card.json",
    "../board.json",
    `cards/${crane.id}/attachments/x`,
  ]) {
    await expect(requestRestore(services, member, wishFor(path))).rejects.toThrow(missing);
  }
  await expect(
    requestRestore(services, member, wishFor(cardPath(crane.id), { snapshotId: "snp_none" })),
  ).rejects.toThrow(missing);
  await expect(
    requestRestore(services, member, wishFor(cardPath(crane.id), { into: { externalId: "0".repeat(24) } })),
  ).rejects.toBeInstanceOf(AppError);
  await expect(requestRestore(services, stranger, wishFor(cardPath(crane.id)))).rejects.toThrow(missing);
  await expect(
    listRestoreTargets(services, stranger, { itemId: item.id, name: null, page: 0 }),
  ).rejects.toThrow(missing);
  expect(await world.rows("SELECT id FROM run WHERE kind = 'restore'")).toEqual([]);
});

test(
  "a card restored to its own board is added once, even after a crash at any effect, and nothing else changes",
  async () => {
    const { runId } = await requestRestore(world.services, world.member, wishFor(cardPath(crane.id)));
    let restored = 0;
    await strike({ name: "restore of a card", world, act: deliverWaiting(world) }, async (blow) => {
      // Cards restored during earlier blows stay at Trello.
      restored += 1;
      const [run] = await world.rows("SELECT status FROM run WHERE id = ?", runId);
      expect([blow, run]).toEqual([blow, { status: "succeeded" }]);
      const lists = await dump();
      expect([blow, lists.map(({ name }) => name)]).toEqual([blow, ["To do"]]);
      const cranes = lists[0]!.cards.filter(({ name }) => name === "Fix the crane");
      expect([blow, cranes.length]).toEqual([blow, restored]);
      for (const { comments, attachments } of cranes)
        expect([blow, comments.length, attachments.length]).toEqual([blow, 1, 1]);
      expect([blow, await findUnfinished(world)]).toEqual([blow, []]);
    });
  },
  WHOLE_STRIKE_MS,
);

test("the restore is in the item's history with the card's result, and in the audit trail", async () => {
  // Points that a killed consumer held come back with the quota's next window.
  world.clock.advance(MINUTE_MS);
  // The simulator counts calls in real time, but the tests move the product's clock.
  await trello.control("settings", { tokenLimit: 10_000 });
  await requestRestore(world.services, world.member, wishFor(`lists/${list.id}.json`));
  await world.drain();
  const { rows } = await listHistory(world.services, world.member, { itemId: item.id, page: 0, perPage: 5 });
  expect(rows[0]).toMatchObject({
    ...{ type: "restore", status: "success" },
    restoredTo: { name: "To do" },
    report: { restored: { list: 1, card: 2 } },
  });
  expect((await dump()).map(({ name, cards }) => [name, cards.length]).at(-1)).toEqual(["To do", 2]);
  const trail = await listActions(world.services, world.member, { page: 0, perPage: 50 } as never);
  expect(JSON.stringify(trail)).toContain("restore-part");
  expect(world.events.some(({ method }) => method === "item-progress")).toBe(true);
});
