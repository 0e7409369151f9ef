import { afterAll, beforeAll, expect, test } from "vitest";
import { listHistory, requestBackup } from "#core/backups/index.ts";
import { listConnections, listRestorePlaces } from "#core/connections/index.ts";
import { addItems, getItem, type ItemView, listAvailableItems } from "#core/inventory/index.ts";
import { DAY_MS, SECOND_MS } from "#core/kernel/clock.ts";
import { requestRestores } from "#core/restores/index.ts";
import { findFaults, findUnfinished } from "#tests/harness/check-vault.ts";
import type { Effect } from "#tests/harness/effects.ts";
import { findRun, newestSnapshot } from "#tests/harness/flow-steps.ts";
import { connect, type FlowWorld, openFlowWorld } from "#tests/harness/flow-world.ts";
import { type OutsideTrello, openTrello } from "#tests/harness/outside.ts";

// Each test continues where the one before it ended.

const TRELLO = "trello";
const LOGIN = "nora_lindqvist";
const SHAPE = {
  ...{ lists: 5, labels: 6, cards: 300, comments: 400, checklists: 100, items: 3 },
  ...{ attachments: 12, attachmentBytes: 4_000 },
};

let world: FlowWorld;
let trello: OutsideTrello;
let board: { id: string };
let cards: { id: string; name: string }[];
let item: ItemView;

beforeAll(async () => {
  trello = await openTrello();
  world = await openFlowWorld({ isConnected: false, vars: trello.vars });
  board = await trello.control("boards", { name: "Harbour works", desc: "Berths and cranes" });
  await trello.control(`boards/${board.id}/generate`, SHAPE);
  ({ cards } = await boardCards(board.id));
});
afterAll(async () => {
  await world.close();
  await trello.close();
});

async function boardCards(id: string) {
  const answer = await fetch(`${trello.url}/__sim/trello/boards/${id}/cards`);
  return (await answer.json()) as { cards: { id: string; name: string }[] };
}

async function boardsNamed(name: string): Promise<{ id: string; isClosed: boolean }[]> {
  const answer = await fetch(`${trello.url}/__sim/trello/boards`);
  const { boards } = (await answer.json()) as { boards: { id: string; name: string; isClosed: boolean }[] };
  return boards.filter((each) => each.name === name);
}

async function protect(name: string): Promise<ItemView> {
  const query = { platform: TRELLO, kind: "board", placeId: null, name, page: 0, perPage: 10 };
  const { items } = await listAvailableItems(world.services, world.member, query);
  const externals = items.map(({ externalId }) => ({ externalId }));
  const order = { platform: TRELLO, kind: "board", placeId: null, externals };
  return (await addItems(world.services, world.member, order)).added[0]!;
}

const history = async (itemId: string) =>
  (await listHistory(world.services, world.member, { itemId, page: 0, perPage: 20 })).rows;

async function askForBackup(itemId: string): Promise<string> {
  world.clock.advance(DAY_MS);
  return (await requestBackup(world.services, world.member, { platform: TRELLO, itemId })).runId;
}

/** Delivers all waiting messages to one isolate. @returns its effects */
async function workOff(): Promise<Effect[]> {
  const isolate = world.bear(null);
  for (let letter = world.queue.letters.shift(); letter; letter = world.queue.letters.shift()) {
    await world.deliver(letter, isolate);
  }
  return isolate.life.log;
}

const objectsOf = (effects: readonly Effect[]) =>
  effects.filter(({ kind, name }) => kind === "bucket" && (name === "put" || name === "complete")).length;

test("[A-008] a board is connected, found by a part of its name, backed up and checked at once", async () => {
  await connect(world, TRELLO, LOGIN);
  const [connection] = await listConnections(world.services, world.member, { platform: TRELLO });
  expect(connection).toMatchObject({ name: LOGIN, status: "active" });
  item = await protect("ARBOU");
  expect(item).toMatchObject({ name: "Harbour works", kind: "board" });
  await world.drain();
  const view = await getItem(world.services, world.member, { itemId: item.id });
  expect(view).toMatchObject({ status: "backuped", lastError: null, versionCount: 1 });
  expect((await history(item.id))[0]).toMatchObject({
    ...{ type: "backup", status: "success", canRestore: true, skippedCount: 0 },
    verify: { state: "verified", text: null },
  });
  expect(await trello.downloads()).toHaveLength(SHAPE.attachments);
  expect(await trello.refusals()).toEqual([]);
  expect(await findFaults(world)).toEqual([]);
});

test("an unchanged board writes no object and fetches no file", async () => {
  const before = await newestSnapshot(world, item.id);
  await trello.forgetRequests();
  const runId = await askForBackup(item.id);
  const effects = await workOff();
  expect(await findRun(world, runId)).toMatchObject({ status: "succeeded" });
  expect(objectsOf(effects)).toBe(0);
  expect(await trello.downloads()).toEqual([]);
  const after = await newestSnapshot(world, item.id);
  expect([after.manifest_id, after.new_bytes]).toEqual([before.manifest_id, 0]);
});

test("after three changed cards, one with a new name, a backup writes one object and its description, its check an index of names, and no file is fetched again", async () => {
  const [first, second, third] = cards;
  await trello.control(`cards/${first!.id}/edit`, { name: "Crane 4 is mended" });
  await trello.control(`cards/${second!.id}/move`, { list: (await listOf(third!.id)).name });
  await trello.control(`cards/${third!.id}/comments`, { text: "Seen and done." });
  await trello.forgetRequests();
  const runId = await askForBackup(item.id);
  const effects = await workOff();
  expect(await findRun(world, runId)).toMatchObject({ status: "succeeded" });
  expect(objectsOf(effects)).toBe(3);
  expect(await trello.downloads()).toEqual([]);
  expect(await newestSnapshot(world, item.id)).toMatchObject({ verify_state: "verified", skipped_count: 0 });
  expect(await findFaults(world)).toEqual([]);
});

async function listOf(cardId: string): Promise<{ name: string }> {
  const answer = await fetch(`${trello.vars.TRELLO_API_URL}/cards/${cardId}/list`, {
    headers: { authorization: (await token()).authorization },
  });
  return (await answer.json()) as { name: string };
}

function token(): Promise<{ authorization: string }> {
  return trello.control("token", { login: LOGIN });
}

test("a restore goes to a chosen workspace that was never added", async () => {
  const places = await listRestorePlaces(world.services, world.member, { platform: TRELLO });
  expect(places.map(({ name }) => name)).toEqual(["Harbour Works", "Meridian Freight"]);
  const week = await trello.control<{ id: string }>("boards", { name: "A haulier's week", content: "fleet" });
  const small = await protect("haulier");
  await world.drain();
  const wish = {
    itemId: small.id,
    snapshotId: (await newestSnapshot(world, small.id)).id,
    name: "Another week",
    place: { externalId: places[1]!.externalId },
  };
  const order = { platform: TRELLO, kind: "board", items: [wish], placeId: null, emails: [] };
  await requestRestores(world.services, world.member, order);
  await world.drain();
  expect(await findUnfinished(world)).toEqual([]);
  expect((await history(small.id))[0]).toMatchObject({
    ...{ type: "restore", status: "success" },
    restoredTo: { name: "Another week" },
  });
  const made = await boardsNamed("Another week");
  expect(made).toHaveLength(1);
  const namesOf = async (id: string) => (await boardCards(id)).cards.map(({ name }) => name);
  expect(await namesOf(made[0]!.id)).toEqual(await namesOf(week.id));
});

test("a Trello rate limit without a time parks a run until its window ends, and the run shows the time", async () => {
  await trello.control(`cards/${cards[0]!.id}/edit`, { name: "Crane 4 squeaks" });
  const runId = await askForBackup(item.id);
  const action = { kind: "rate-limit", shape: "member" } as const;
  await trello.fault({ match: { path: "^/1/boards" }, times: 1, action });
  await world.deliver(world.queue.letters.shift()!);
  const parked = await findRun(world, runId);
  expect(parked.status).toBe("queued");
  expect(parked.waiting_until).toBeGreaterThan(world.clock.now() + 5 * SECOND_MS);
  const view = await getItem(world.services, world.member, { itemId: item.id });
  expect(view.activeRun).toMatchObject({ status: "queued", waitingUntil: parked.waiting_until });
  await world.drain();
  expect((await findRun(world, runId)).status).toBe("succeeded");
  expect(world.clock.now()).toBeGreaterThanOrEqual(parked.waiting_until!);
});

test("an expired token is refreshed once; a revoked one marks the connection and is reported once", async () => {
  await askForBackup(item.id);
  await trello.control("expire-tokens");
  await trello.forgetRequests();
  await world.drain();
  const renewals = (await trello.requests()).filter(({ path }) => path.endsWith("/oauth/token"));
  expect(renewals).toHaveLength(1);
  expect((await history(item.id))[0]?.status).toBe("success");
  await trello.control("token/revoke");
  world.mails.length = 0;
  for (let time = 0; time < 2; time++) {
    await askForBackup(item.id);
    await world.drain();
  }
  expect((await history(item.id))[0]?.status).toBe("failed");
  const [connection] = await listConnections(world.services, world.member, { platform: TRELLO });
  expect(connection?.status).toBe("revoked");
  expect(world.mails.map(({ to }) => to)).toEqual([world.member.email]);
});
