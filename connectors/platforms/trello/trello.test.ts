import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { isWholeDay } from "#connectors/toolkit/records/backup-state.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { contractsAreAbsent, readContract } from "#tests/conformance/contracts.ts";
import { describePlatformConnector, failureOf } from "#tests/conformance/describe-platform-connector.ts";
import { takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import type { TestSession } from "#tests/conformance/test-session.ts";
import { readTrelloLimits } from "./client.ts";
import { openTrelloConformance } from "./conformance-world.ts";
import { connector } from "./connector.ts";
import { changedPaths, openBench, pathsBelow, type TrelloBench } from "./test-bench.ts";
import type { BoardReference } from "./test-world.ts";

describe("boards", () => describePlatformConnector(connector, { open: openTrelloConformance }));

let bench: TrelloBench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.world.stop());

const asked = (by: TestSession, part: string) => by.requests.filter(({ url }) => url.includes(part));
/** A session on a day without a full read of the board. */
function onAnOrdinaryDay(board: BoardReference): TestSession {
  const by = bench.session();
  let now = Date.now();
  while (isWholeDay(board.externalId, now)) now += DAY_MS;
  return { ...by, clock: { now: () => now } };
}
const cardsOf = (board: BoardReference) =>
  bench.world.simulator.world.state.boards.find(({ id }) => id === board.externalId)?.cards ?? [];

test("[A-008] a version of a board has everything on it, and its counts equal Trello's", async () => {
  const snapshot = await bench.backUp(bench.world.item);
  expect(snapshot.skipped).toEqual([]);
  const kinds: Record<string, number> = {};
  for (const { info } of snapshot.entries.values()) kinds[info.kind] = (kinds[info.kind] ?? 0) + 1;
  expect(kinds).toMatchObject({
    board: 1,
    list: 4,
    label: 5,
    card: 10,
    attachment: 4,
    comment: 8,
    setting: 2,
  });
  for (const [kind, count] of Object.entries(snapshot.reported)) expect(kinds[kind] ?? 0, kind).toBe(count);
  expect(kinds.action).toBeGreaterThan(10);
  const cards = await Promise.all(
    pathsBelow(snapshot, "cards/")
      .filter((path) => path.endsWith("card.json"))
      .map((path) => snapshot.readRecord(path)),
  );
  expect(cards[0]).toMatchObject({
    dueReminder: 1440,
    locationName: "Quay 7",
    coordinates: { latitude: 57.7065 },
    cover: { size: "full" },
    checklists: [{ name: "Papers ✓", checkItems: [{ state: "complete" }, {}, {}, {}] }, {}],
    stickers: [{ image: "thumbsup", rotate: 0 }, { image: "taco-cool" }],
    pluginData: [{ access: "shared" }],
  });
  expect(cards.filter((card) => (card as { closed: boolean }).closed)).toHaveLength(1);
  const text = JSON.stringify(cards);
  expect(text).not.toMatch(/badges|previews|"limits"|dateLastView/);
});

test("every request is valid at Trello, and the token is never sent to the file host", async () => {
  const { log, storage } = bench.world.simulator;
  log.reset();
  storage.log.reset();
  await bench.backUp(bench.world.item);
  expect(log.refusals()).toEqual([]);
  expect(storage.log.requests().length).toBe(4);
  expect(storage.log.requests().every(({ status }) => status === 200)).toBe(true);
  const secrets = /key=|token=|ATTA/;
  expect(log.requests().filter(({ path }) => secrets.test(path))).toEqual([]);
});

test("an unchanged board costs two requests and keeps every entry", async () => {
  const { item } = bench.world;
  const first = await bench.backUp(item, null, onAnOrdinaryDay(item));
  const by = onAnOrdinaryDay(item);
  const second = await bench.backUp(item, first, by);
  expect(by.requests).toHaveLength(2);
  expect(changedPaths(second, first)).toEqual([]);
  expect([...second.entries.keys()].sort()).toEqual([...first.entries.keys()].sort());
});

test("three changed cards cost three records and no attachment", async () => {
  const board = await bench.world.makeBoard("Changing");
  const first = await bench.backUp(board, null, onAnOrdinaryDay(board));
  const [one, two, three] = cardsOf(board);
  for (const card of [one, two, three]) {
    await bench.world.happen(`/cards/${card?.id}/edit`, { desc: `Changed ${card?.idShort}` });
  }
  const by = onAnOrdinaryDay(board);
  const second = await bench.backUp(board, first, by);
  expect(second.newStreams).toEqual([]);
  expect(asked(by, "/download/")).toEqual([]);
  expect(by.requests).toHaveLength(2);
  const changed = changedPaths(second, first).filter((path) => !path.startsWith("actions/"));
  expect(changed).toEqual([...[one, two, three].map((card) => `cards/${card?.id}/card.json`), "state.json"]);
});

test("deleted cards with their comments and files, attachments and comments are missing from the next version", async () => {
  const board = await bench.world.makeBoard("Shrinking");
  const first = await bench.backUp(board, null, onAnOrdinaryDay(board));
  const [one, , , , , , seventh] = cardsOf(board);
  const [file] = one?.attachments ?? [];
  const gone = first.entries.get(pathsBelow(first, `comments/${one?.id}/`)[2] ?? "")?.info.path ?? "";
  await bench.world.happen(`/attachments/${file?.id}/delete`, {});
  await bench.world.happen(`/comments/${gone.slice(-29, -5)}/delete`, {});
  await bench.world.happen(`/cards/${seventh?.id}/delete`, {});
  const by = onAnOrdinaryDay(board);
  const second = await bench.backUp(board, first, by);
  expect(pathsBelow(first, `comments/${seventh?.id}/`)).toHaveLength(1);
  expect(pathsBelow(second, `comments/${seventh?.id}/`)).toEqual([]);
  expect(pathsBelow(second, `cards/${seventh?.id}/`)).toEqual([]);
  expect(first.entries.has(`cards/${one?.id}/attachments/${file?.id}`)).toBe(true);
  expect(second.entries.has(`cards/${one?.id}/attachments/${file?.id}`)).toBe(false);
  expect(first.entries.has(gone)).toBe(true);
  expect(second.entries.has(gone)).toBe(false);
  expect(asked(by, "/actions")).toHaveLength(2);
  expect(second.newStreams).toEqual([]);
});

test("an edited comment is detected although the history does not show it", async () => {
  const board = await bench.world.makeBoard("Editing");
  const first = await bench.backUp(board, null, onAnOrdinaryDay(board));
  const [one] = cardsOf(board);
  const path = pathsBelow(first, `comments/${one?.id}/`)[0] ?? "";
  await bench.world.happen(`/comments/${path.slice(-29, -5)}/edit`, { text: "Quite another text" });
  if (one) one.dateLastActivity = new Date().toISOString();
  const second = await bench.backUp(board, first, onAnOrdinaryDay(board));
  expect(await second.readRecord(path)).toMatchObject({ data: { text: "Quite another text" } });
  let now = Date.now();
  while (!isWholeDay(board.externalId, now)) now += DAY_MS;
  const other = pathsBelow(first, `comments/${one?.id}/`)[1] ?? "";
  await bench.world.happen(`/comments/${other.slice(-29, -5)}/edit`, { text: "Changed in silence" });
  const third = await bench.backUp(board, second, { ...bench.session(), clock: { now: () => now } });
  expect(await third.readRecord(other)).toMatchObject({ data: { text: "Changed in silence" } });
  expect(third.newStreams).toEqual([]);
});

test("a run interrupted at any point resumes to the same version", async () => {
  const board = await bench.world.makeBoard("Slices", { content: "empty" });
  const shape = {
    lists: 2,
    labels: 3,
    cards: 60,
    comments: 90,
    checklists: 10,
    attachments: 50,
    attachmentBytes: 64,
  };
  await bench.world.happen(`/boards/${board.externalId}/generate`, shape);
  const whole = await bench.backUp(board);
  const item = await bench.itemOf(board);
  expect(whole.checkpoints.length).toBeGreaterThan(3);
  for (const cursor of whole.checkpoints) {
    const rest = await takeSnapshot(
      connector.backUp(bench.session(), { item, previous: null, cursor }),
      null,
    );
    for (const [path, { info }] of rest.entries) {
      if (info.kind !== "state") expect(info.hash, path).toBe(whole.entries.get(path)?.info.hash);
    }
    expect(await rest.readRecord("state.json")).toMatchObject({ marks: { actions: expect.any(String) } });
  }
});

test("a board of 5,000 cards with 20,000 entries needs close to the minimum of requests", async () => {
  const board = await bench.world.makeBoard("Large", { content: "empty" });
  const shape = {
    lists: 10,
    labels: 20,
    cards: 4_900,
    archivedCards: 100,
    comments: 15_000,
    attachments: 40,
  };
  await bench.world.happen(`/boards/${board.externalId}/generate`, { ...shape, attachmentBytes: 100 });
  const actions =
    bench.world.simulator.world.state.boards.find(({ id }) => id === board.externalId)?.actions ?? [];
  expect(actions.length).toBeGreaterThanOrEqual(20_000);
  const by = onAnOrdinaryDay(board);
  const first = await bench.backUp(board, null, by);
  // The board, a page for each thousand cards and history entries, and for each file the API and the host it redirects to.
  const fewest = 1 + 5 + Math.ceil(actions.length / 1_000) + 2 * 40;
  expect(by.requests.length).toBeLessThanOrEqual(fewest * 1.2);
  expect(by.requests.length).toBeLessThanOrEqual(fewest + 1);
  expect(first.reported).toMatchObject({ card: 5_000, comment: 15_000, attachment: 40 });
  expect(pathsBelow(first, "comments/")).toHaveLength(15_000);
  for (const card of cardsOf(board).slice(100, 103)) {
    await bench.world.happen(`/cards/${card.id}/edit`, { name: `${card.name}, changed` });
  }
  // A response holds a thousand cards at most, and cursors do not grow with the board.
  expect(asked(by, "cards=all")).toEqual([]);
  expect(Math.max(...first.checkpoints.map((cursor) => JSON.stringify(cursor).length))).toBeLessThan(2_000);
  const again = onAnOrdinaryDay(board);
  const second = await bench.backUp(board, first, again);
  // The last page of cards is full, so one more shows that it was the last.
  expect(again.requests).toHaveLength(1 + 6 + 1);
  expect(second.newStreams).toEqual([]);
  const changed = changedPaths(second, first);
  expect(changed.filter((path) => path.startsWith("cards/"))).toHaveLength(3);
  expect(changed.length).toBeLessThanOrEqual(3 + 3 + 1);
}, 300_000);

test("a board read at once, in pages of cards, or in smaller ones gives the same version", async () => {
  const board = await bench.world.makeBoard("Too much", { content: "full" });
  const more = { cards: 950, checklists: 30, attachments: 2, attachmentBytes: 10 };
  await bench.world.happen(`/boards/${board.externalId}/generate`, more);
  const [first, next, refused] = [1, 2, 3].map(() => onAnOrdinaryDay(board)) as [
    TestSession,
    TestSession,
    TestSession,
  ];
  const paged = await bench.backUp(board, null, first);
  const whole = await bench.backUp(board, paged, next);
  await bench.world.happen("/settings", { nestedCardLimit: 300 });
  const pieces = await bench.backUp(board, whole, refused);
  await bench.world.happen("/settings", { nestedCardLimit: 1_000_000 });
  // The size of a new board is not known.
  expect(asked(first, "cards=all")).toEqual([]);
  expect(asked(first, "/cards?")).toHaveLength(1);
  expect(asked(next, "/cards?")).toEqual([]);
  expect(asked(refused, "cards=all")).toHaveLength(1);
  expect(asked(refused, "/cards?").map(({ url }) => new URL(url).searchParams.get("limit"))).toEqual([
    "1000",
    "250",
    "250",
    "250",
    "250",
  ]);
  for (const version of [whole, pieces]) {
    expect([...version.entries.keys()].sort()).toEqual([...paged.entries.keys()].sort());
    expect(changedPaths(version, paged)).toEqual([]);
    expect(version.reported).toEqual(paged.reported);
  }
}, 60_000);

test("a file that Trello does not return is reported and skipped; one that is cut off fails the run", async () => {
  const board = await bench.world.makeBoard("Broken files");
  const { faults, storage } = bench.world.simulator;
  const answer = { kind: "answer", status: 404, body: "The requested resource was not found." } as const;
  faults.add({ match: { path: "/download/empty" }, action: answer });
  const snapshot = await bench.backUp(board);
  expect(snapshot.skipped).toMatchObject([
    { kind: "attachment", reason: expect.stringContaining("empty.txt") },
  ]);
  storage.faults.add({ match: {}, skip: 1, action: { kind: "cut", afterBytes: 10 } });
  expect((await failureOf(bench.backUp(board))).kind).toBe("unavailable");
});

test("an inaccessible board is forbidden, and the connection stays valid", async () => {
  const foreign = await bench.world.happen<{ id: string }>("/boards", {
    name: "Secret",
    login: "ivo_petrov",
    organization: null,
  });
  const by = bench.session();
  let renewals = 0;
  const accessToken: TestSession["accessToken"] = (refused) => {
    if (refused !== undefined) renewals += 1;
    return by.accessToken(refused);
  };
  const reference = { kind: "board", externalId: foreign.id, fullName: "" };
  const failure = await failureOf(connector.getItem({ ...by, accessToken }, reference));
  expect(failure.kind).toBe("forbidden");
  expect(renewals).toBe(0);
});

test("an exhausted quota names its owner: all customers wait for the key's, one account for its token's", async () => {
  const { faults } = bench.world.simulator;
  for (const [shape, resource, waitMs] of [
    ["key", "key", 10_000],
    ["token", "token", 10_000],
    ["database", "token", 10_000],
    ["member", "members", 900_000],
  ] as const) {
    faults.add({ match: { path: "^/1/" }, action: { kind: "rate-limit", shape } });
    const by = bench.session();
    const error = await connector.listPlaces(by, { page: 0, perPage: 10 }).then(
      () => null,
      (cause: unknown) => cause,
    );
    expect(error).toBeInstanceOf(ConnectorError);
    expect((error as ConnectorError).kind).toBe("rate-limited");
    const [report] = by.reports.slice(-1);
    expect(report?.resource).toBe(resource);
    const until = report?.retryAt ?? report?.resetAt ?? 0;
    expect(Math.abs(until - Date.now() - waitMs)).toBeLessThan(5_000);
  }
});

test("a quota of which more than half is used is reported: the key's for all, and the lesser of token and member", async () => {
  const told = (token: number, member: number, key: number) =>
    readTrelloLimits(
      new Headers({
        ...{ "x-rate-limit-api-token-remaining": `${token}`, "x-rate-limit-member-remaining": `${member}` },
        "x-rate-limit-api-key-remaining": `${key}`,
      }),
    );
  const left = (resource: string, remaining: number) => ({
    ...{ resource, remaining, resetAt: null, retryAt: null },
  });
  expect(told(99, 374, 299)).toEqual([]);
  expect(told(50, 374, 299)).toEqual([left("token", 50)]);
  expect(told(99, 7, 299)).toEqual([left("token", 7)]);
  expect(told(99, 374, 0)).toEqual([left("key", 0)]);
  expect(readTrelloLimits(new Headers({ "x-rate-limit-api-token-remaining": "-1" }))).toEqual([]);

  const own = await openBench({ tokenLimit: 100, windowMs: 600_000 });
  onTestFinished(own.world.stop);
  const by = own.session();
  for (let asked = 0; asked < 60; asked += 1) await connector.listPlaces(by, { page: 0, perPage: 10 });
  expect(by.reports).toEqual(Array.from({ length: 11 }, (_, index) => left("token", 50 - index)));
});

test.skipIf(contractsAreAbsent())("every recorded response tells what is left of key and token", () => {
  for (const { response } of readContract("trello/recorded.json") as {
    response: { headers: Record<string, string> };
  }[]) {
    // With nearly nothing left, every figure is reported, so a header of another form would be missing here.
    const spent = Object.entries(response.headers).map(([name, value]) => [
      name,
      name.endsWith("-remaining") && /^\d+$/.test(value) ? "1" : value,
    ]);
    const reports = readTrelloLimits(new Headers(spent as [string, string][]));
    expect(reports.map(({ resource }) => resource)).toEqual(["token", "key"]);
  }
});

test("every call requests budget, and calls about members use their own quota", async () => {
  const by = bench.session();
  const spent: (string | undefined)[] = [];
  const spend: TestSession["spend"] = async (_points, quota) => void spent.push(quota);
  await connector.listPlaces({ ...by, spend }, { page: 0, perPage: 10 });
  expect(spent).toEqual(["members"]);
  spent.length = 0;
  const item = await bench.itemOf(bench.world.item);
  const run = { ...by, spend };
  const before = by.requests.length;
  await takeSnapshot(connector.backUp(run, { item, previous: null, cursor: null }));
  const toTrello = by.requests.slice(before).filter(({ url }) => url.startsWith(bench.world.simulator.url));
  expect(spent).toHaveLength(toTrello.length);
});

test("a board states its workspace, who may see it, and its URL", async () => {
  const item = await bench.itemOf(bench.world.item);
  expect(item).toMatchObject({
    name: "Harbour works",
    details: { permissionLevel: expect.stringMatching(/^(private|org)$/) },
  });
  expect(item.fullName).toMatch(/^Meridian Freight\/Harbour works \([A-Za-z0-9]{8}\)$/);
  const page = await fetch(connector.webUrl(bench.world.config, item));
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("Harbour works");
});
