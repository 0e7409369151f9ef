import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { listHistory } from "#core/backups/index.ts";
import { listPlaces } from "#core/connections/index.ts";
import { addItems, type ItemView } from "#core/inventory/index.ts";
import {
  listRestoreQuestions,
  listRestoreTargets,
  planRestore,
  requestRestore,
  requestRestores,
} from "#core/restores/index.ts";
import { findUnfinished } from "#tests/harness/check-vault.ts";
import { type ColumnBoard, columnBoards } from "#tests/harness/column-boards.ts";
import { beginLife } from "#tests/harness/effects.ts";
import { findRun, newestSnapshot } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, KIND, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import type { Services } from "#workers/services.ts";

/** Uses a platform whose versions are restored into existing boards. */

const boards = new Map<string, ColumnBoard>();
let world: FlowWorld;
let services: Services;
let item: ItemView;
let version: { itemId: string; snapshotId: string };

beforeAll(async () => {
  world = await openFlowWorld();
  boards.set("OPS", {
    name: "Operations",
    columns: [
      { id: "1", name: "To do" },
      { id: "2", name: "Waiting" },
      { id: "3", name: "Done" },
    ],
    cards: [
      { title: "Fix the crane", column: "1" },
      { title: "Call the carrier", column: "2" },
      { title: "Buy rope", column: "3" },
    ],
  });
  const connector = columnBoards(world.services.connectors.get(PLATFORM)!, boards);
  services = {
    ...world.services,
    connectors: new Map([...world.services.connectors, [PLATFORM, connector]]),
  };
  const [place] = await listPlaces(services, world.member, { platform: PLATFORM });
  const externals = [{ externalId: "OPS", nodeId: null }];
  const order = { platform: PLATFORM, kind: KIND, placeId: place!.id, externals };
  item = (await addItems(services, world.member, order)).added[0]!;
  await drain();
  version = { itemId: item.id, snapshotId: (await newestSnapshot(world, item.id)).id };
});
afterAll(() => world.close());
beforeEach(() => {
  boards.set("OPS2", {
    name: "Operations 2026",
    columns: [
      { id: "a", name: "To do" },
      { id: "b", name: "Done" },
    ],
    cards: [{ title: "There before", column: "b" }],
  });
});

/** Delivers all messages to services that have the platform. */
async function drain(): Promise<void> {
  for (let nextAt = world.queue.nextAt(); nextAt !== null; nextAt = world.queue.nextAt()) {
    world.clock.advance(nextAt - world.clock.now());
    await world.deliver(world.queue.take(world.clock.now())!, { life: beginLife(), services });
  }
}

const into = (externalId: string) => ({ externalId });
const wish = (more: object = {}) => ({
  ...{ ...version, into: into("OPS2"), name: null, place: null, ...more },
});
const restores = () => world.rows("SELECT id FROM run WHERE kind = 'restore'");
const cardsOf = (id: string) => boards.get(id)!.cards.map(({ title, column }) => `${column} ${title}`);

test("the questions list the target's columns, and columns without an equal one stay open", async () => {
  const targets = await listRestoreTargets(services, world.member, { itemId: item.id, name: "Op", page: 0 });
  expect(targets.items.map(({ externalId, isSource }) => [externalId, isSource])).toEqual([
    ["OPS", true],
    ["OPS2", false],
  ]);
  const order = { ...version, part: null, into: into("OPS2"), placeId: null };
  const [question] = await listRestoreQuestions(services, world.member, order);
  expect(question).toMatchObject({
    type: "matching",
    default: { 1: "a", 2: null, 3: "b" },
    right: [{ label: "To do" }, { label: "Done" }],
  });
  const [ofSource] = await listRestoreQuestions(services, world.member, { ...order, into: into("OPS") });
  expect(ofSource).toMatchObject({ default: { 1: "1", 2: "2", 3: "3" } });
  const plan = await planRestore(services, world.member, { ...order, answers: {} });
  expect(plan.creates).toMatchObject([{ kind: "card", count: 3 }]);
});

test("a restore is refused while a column is open, without a target, or with an unreachable target", async () => {
  const refuse = (more: object) => requestRestore(services, world.member, { ...wish(more), emails: [] });
  await expect(refuse({})).rejects.toMatchObject({
    code: "err.request.invalid",
    message: "Match columns: 1 still to be chosen.",
    details: { field: "columns" },
  });
  await expect(refuse({ answers: { columns: { 2: "gone" } } })).rejects.toThrow("1 still to be chosen");
  await expect(refuse({ into: null })).rejects.toThrow("It can only be added to something that exists.");
  await expect(refuse({ into: into("STRANGE") })).rejects.toMatchObject({ code: "err.not.found" });
  await expect(refuse({ part: "board.json" })).rejects.toMatchObject({ code: "err.not.found" });
  // One refused item refuses the whole call.
  const several = { platform: PLATFORM, kind: KIND, placeId: null, emails: [] };
  const items = [wish({ answers: { columns: { 2: "a" } } }), wish()];
  await expect(requestRestores(services, world.member, { ...several, items })).rejects.toThrow("still");
  expect(await restores()).toEqual([]);
});

test("a version goes into the chosen board: cards into the matched columns, and existing cards stay unchanged", async () => {
  const source = cardsOf("OPS");
  const { runId } = await requestRestore(services, world.member, {
    ...wish({ answers: { columns: { 1: "b", 2: null } } }),
    emails: [],
  });
  const [run] = await world.rows<{ order_json: string }>("SELECT order_json FROM run WHERE id = ?", runId);
  expect(JSON.parse(run!.order_json)).toMatchObject({
    version: 2,
    target: { kind: "existing", item: { externalId: "OPS2", name: "Operations 2026" } },
    part: null,
    answers: { columns: { 1: "b", 2: null, 3: "b" } },
  });
  await drain();
  expect(await findRun(world, runId)).toMatchObject({ status: "succeeded", error_text: null });
  expect(cardsOf("OPS2")).toEqual(["b There before", "b Fix the crane", "a Call the carrier", "b Buy rope"]);
  expect(cardsOf("OPS")).toEqual(source);
  const { rows } = await listHistory(services, world.member, { itemId: item.id, page: 0, perPage: 5 });
  expect(rows[0]).toMatchObject({
    ...{ type: "restore", status: "success" },
    restoredTo: { name: "Operations 2026" },
    report: { restored: { card: 3 } },
  });
  expect(await findUnfinished(world)).toEqual([]);
});

test("one card or a whole version can be restored into its original board", async () => {
  const back = { into: into("OPS"), emails: [] };
  await requestRestore(services, world.member, { ...wish(), ...back, part: "cards/1.json" });
  await drain();
  expect(cardsOf("OPS").slice(3)).toEqual(["2 Call the carrier"]);
  const { runId } = await requestRestore(services, world.member, { ...wish(), ...back });
  await drain();
  expect(await findRun(world, runId)).toMatchObject({ status: "succeeded" });
  expect(cardsOf("OPS").slice(4)).toEqual(["1 Fix the crane", "2 Call the carrier", "3 Buy rope"]);
});

test("a target that was deleted meanwhile ends the restore with a sentence", async () => {
  const answers = { columns: { 2: "a" } };
  const { runId } = await requestRestore(services, world.member, { ...wish({ answers }), emails: [] });
  boards.delete("OPS2");
  await drain();
  const run = await findRun(world, runId);
  expect(run).toMatchObject({ status: "failed" });
  expect(run.error_text).toContain("There is no board OPS2");
});
