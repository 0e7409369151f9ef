import { afterAll, beforeAll, expect, test } from "vitest";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { type TestSession, testSession } from "#tests/conformance/test-session.ts";
import { isDeep } from "#tests/harness/sample.ts";
import { backUp } from "./backup/back-up.ts";
import { homesIn } from "./backup/homes.ts";
import { COMMENT_DAYS, LOOK_DAYS, shareOf } from "./backup/shares.ts";
import { inventory } from "./inventory.ts";
import { recordPaths } from "./record-paths.ts";
import { childrenOf } from "./simulator/store.ts";
import { type NotionTestWorld, openNotionWorld } from "./test-world.ts";

/**
 * What a backup costs in requests. The whole set runs with HOLDFAST_DEEP=1; otherwise a fiftieth, with queries that give
 * a fiftieth of the rows, so that every rule is met.
 */
const PART = isDeep() ? 1 : 50;
const PAGES = 10_000 / PART;
const BLOCKS_PER_PAGE = 10;
const ROWS = 25_000 / PART;
/** One page or row in a hundred. */
const CHANGED = (PAGES + ROWS) / 100;
const QUERY_ROWS = 10_000 / PART;
/** About as many requests as a slice of a run makes before the next one goes on from its checkpoint. */
const REQUESTS_PER_SLICE = 900 / Math.min(PART, 5);
/** Declared beside the bar: a first backup reads the comments of so many blocks, so that a small workspace has all of them at once. */
const FIRST_BLOCK_COMMENTS = 600;

let world: NotionTestWorld;
let token = "";
let aheadMs = 0;
let pageIds: string[] = [];
let sourceId = "";
let first: MemorySnapshot;
let second: MemorySnapshot;
let firstCalls = 0;

beforeAll(async () => {
  world = await openNotionWorld({ queryRows: QUERY_ROWS });
  const { id: rootId } = await world.happen("pages", { title: "Quay 7" });
  const made = await world.happen<{ pageIds: string[]; dataSourceId: string }>("generate", {
    ...{ rootId, pages: PAGES, blocks: BLOCKS_PER_PAGE, rows: ROWS, comments: PAGES / 100 },
  });
  pageIds = made.pageIds;
  sourceId = made.dataSourceId;
  token = await world.issueToken();
  // Everything was edited long before the backup: edits of the last minutes would be read again.
  await passDays(1);
  const { calls, snapshot, longestPoint } = await count(null);
  first = snapshot;
  firstCalls = calls.length;
  console.info(`first backup: ${firstCalls} requests, the longest checkpoint has ${longestPoint} signs`);
}, 3_600_000);

afterAll(() => world.stop());

function session(): TestSession {
  const { config, connectionDetails } = world;
  return {
    ...testSession({ config, token, accountName: "Nora", connectionDetails: connectionDetails ?? null }),
    clock: { now: () => Date.now() + aheadMs },
  };
}

/** A backup in slices, as the engine makes it, and the paths of its requests. */
async function count(previous: MemorySnapshot | null) {
  const by = session();
  const reference = { kind: "workspace", externalId: world.workspaceId, fullName: "" };
  const item = await inventory.getItem(by, reference);
  by.requests.length = 0;
  let longestPoint = 0;
  async function* inSlices(): AsyncGenerator<BackupEvent, void> {
    let cursor: Json = null;
    for (let isCut = true; isCut; ) {
      isCut = false;
      const before = by.requests.length;
      for await (const event of backUp(by, { item, previous, cursor })) {
        if (event.type !== "checkpoint") {
          yield event;
          continue;
        }
        longestPoint = Math.max(longestPoint, JSON.stringify(event.cursor).length);
        if (by.requests.length - before < REQUESTS_PER_SLICE) continue;
        cursor = structuredClone(event.cursor);
        isCut = true;
        break;
      }
    }
  }
  const snapshot = await takeSnapshot(inSlices(), previous);
  const calls = by.requests.map(({ method, url }) => `${method} ${shortOf(url)}`);
  return { snapshot, calls, longestPoint };
}

const shortOf = (url: string) =>
  new URL(url).pathname
    .replace("/v1", "")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "{id}");

/** How often each call was made. */
function tally(calls: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const call of calls) counts[call] = (counts[call] ?? 0) + 1;
  return counts;
}

const listCalls = (length: number) => Math.max(1, Math.ceil(length / 100));

const MARKDOWN = "GET /pages/{id}/markdown";
const BLOCKS = "GET /blocks/{id}/children";
const COMMENTS = "GET /comments";
const QUERY = "POST /data_sources/{id}/query";

/** Requests of a backup of an unchanged workspace with one table, on the day of the last one. */
const ALWAYS: Record<string, number> = {
  // What was edited last, and what is in the trash. All edits were long ago, so the first page reaches the last known one.
  "POST /search": 2,
  // Changed rows, because search does not list all of them.
  [QUERY]: 1,
  "GET /users": 1,
  "GET /custom_emojis": 1,
};

const rowIdsOf = () => world.simulator.world.state.dataSources[sourceId]!.rowIds;

/** Lets days pass at Notion and here. */
async function passDays(days: number): Promise<void> {
  aheadMs += days * DAY_MS;
  await world.happen("clock", { advanceMs: days * DAY_MS });
}

/** Requests for the blocks of a page: one for each hundred, and the same below each block that has children. */
function blockCalls(id: string): number {
  const { world: at } = world.simulator;
  const children = childrenOf(at, id);
  const below = children.filter((each) => at.state.blocks[each] && childrenOf(at, each).length > 0);
  return listCalls(children.length) + below.reduce((sum, each) => sum + blockCalls(each), 0);
}

/** The fewest requests with which the API gives the whole workspace. */
function fewest(): number {
  const { pages, databases, dataSources } = world.simulator.world.state;
  const all = Object.values(pages);
  const sources = Object.values(dataSources);
  const found = listCalls(all.length + sources.length);
  // A page of rows is read again at the edge of each window.
  const windows = sources.reduce((sum, { rowIds }) => sum + Math.ceil(rowIds.length / QUERY_ROWS), 0);
  const rows = sources.reduce((sum, { rowIds }) => sum + listCalls(rowIds.length), 0) + windows;
  const views = Object.values(databases).reduce((sum, { viewIds }) => sum + 1 + viewIds.length, 0);
  const tables = Object.keys(databases).length + sources.length * 2 + views;
  const content = all.reduce((sum, { id }) => sum + blockCalls(id) + 1, 0);
  const people = 2;
  return found + rows + tables + content + people;
}

test("a first backup makes at most a twentieth more requests than the API needs", () => {
  const least = fewest();
  const declared = Math.min(FIRST_BLOCK_COMMENTS, PAGES * BLOCKS_PER_PAGE);
  const share = (firstCalls - declared) / least;
  console.info(`the API needs ${least}, and ${declared} are for comments on blocks: ${share.toFixed(3)}`);
  expect(share).toBeLessThanOrEqual(1.05);
});

test("a version has every row of a table that one query does not give", () => {
  const rows = [...first.entries.values()].filter(({ info }) => info.kind === "row");
  expect(rows).toHaveLength(ROWS);
  expect([first.counts().row, first.counts().page]).toEqual([ROWS, PAGES + 1]);
  expect(first.skipped).toEqual([]);
  expect(rows.every(({ info }) => info.path.startsWith(recordPaths.rowsOf(sourceId)))).toBe(true);
});

test("an unchanged workspace costs the search up to the last known time, and what is always asked", async () => {
  const { calls, snapshot } = await count(first);
  console.info(`unchanged: ${JSON.stringify(tally(calls))}`);
  expect(tally(calls)).toEqual(ALWAYS);
  expect(snapshot.entries.size).toBe(first.entries.size);
});

test("one page in a hundred changed costs at most 0.03 of a first backup", async () => {
  const changed = [...pageIds, ...rowIdsOf()].filter((_, index) => index % 100 === 7);
  for (const id of changed) await world.happen(`pages/${id}/edit`, { title: "Changed" });
  const { calls, snapshot } = await count(first);
  const share = calls.length / firstCalls;
  console.info(`1 % changed: ${calls.length} requests, ${share.toFixed(4)} of the first`);
  expect(share).toBeLessThanOrEqual(0.03);
  const differs = ({ info }: { info: { path: string; hash: string } }) =>
    first.entries.get(info.path)?.info.hash !== info.hash;
  const pages = [...snapshot.entries.values()].filter(
    ({ info }) => info.kind === "page" || info.kind === "row",
  );
  expect(pages.filter(differs)).toHaveLength(changed.length);
  expect(snapshot.counts()).toEqual(first.counts());
  second = snapshot;
});

test("a day later comes the declared share of looks and of comments on blocks, and no more", async () => {
  await passDays(1);
  const { calls, snapshot } = await count(second);
  const found = tally(calls);
  console.info(`a day later, pages that were never looked at: ${JSON.stringify(found)}`);
  const homes = homesIn(second.counts());
  const looks = shareOf(homes, { days: 1, cycleDays: LOOK_DAYS });
  const commented = shareOf(homes, { days: 1, cycleDays: COMMENT_DAYS });
  const mostBlockCalls = Math.max(...[pageIds[0]!, rowIdsOf()[0]!].map((id) => blockCalls(id)));
  expect(found[MARKDOWN]).toBeLessThanOrEqual(looks);
  // Pages that were changed right before the last backup are read again, and not looked at.
  expect(found[MARKDOWN]).toBeGreaterThanOrEqual(looks * 0.95);
  // A page that was never looked at is read once as a whole.
  expect(found[BLOCKS]).toBeLessThanOrEqual((looks + CHANGED) * mostBlockCalls);
  expect(found[COMMENTS]).toBeLessThanOrEqual(looks + CHANGED + commented * BLOCKS_PER_PAGE);
  // A look leaves a record of the state of the page, and changes nothing else.
  const { state: _, ...things } = second.counts();
  expect(snapshot.counts()).toMatchObject(things);

  await passDays(LOOK_DAYS);
  const { snapshot: looked } = await count(snapshot);
  await passDays(1);
  const steady = tally((await count(looked)).calls);
  console.info(`a day later, in the second week: ${JSON.stringify(steady)}`);
  expect(steady[BLOCKS]).toBeUndefined();
  expect(steady[MARKDOWN]).toBeLessThanOrEqual(looks);
  expect(steady["GET /pages/{id}"]).toBeLessThanOrEqual(looks);
  expect(steady[COMMENTS]).toBeLessThanOrEqual(looks + commented * BLOCKS_PER_PAGE);
  const always = Object.keys(ALWAYS).filter((call) => call !== QUERY);
  expect(always.map((call) => steady[call])).toEqual(always.map((call) => ALWAYS[call]));
}, 3_600_000);
