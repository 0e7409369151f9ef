import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { MemorySnapshot } from "#tests/conformance/memory-snapshot.ts";
import { memoryJournal, type TestSession } from "#tests/conformance/test-session.ts";
import { samplePoints, sweep } from "#tests/harness/sample.ts";
import type { BoardDump } from "../simulator/dump-board.ts";
import { eventsOf, openBench, pathsBelow, type TrelloBench } from "../test-bench.ts";
import { differences } from "../test-differences.ts";
import type { BoardReference } from "../test-world.ts";

/** How many calls to crash a restore at, spread from the first to the last. */
const DEATHS = 10;

let bench: TrelloBench;
beforeAll(async () => {
  bench = await openBench();
  await bench.world.happen("/organizations", {
    name: "freeharbour",
    displayName: "Free harbour",
    plan: "free",
  });
});
afterAll(() => bench.world.stop());

/**
 * What cannot be restored: the places where a backup of the restored board may differ, by the row of the README's table
 * that declares it.
 */
const DECLARED_LOSSES: Readonly<Record<string, RegExp>> = {
  "Ids, numbers, addresses": /(\.id|\.idShort|\.shortLink|\.shortUrl|\.url|\.fieldGroup|^setting\[\]\.id)$/,
  "Creation and change dates":
    /^(card\.dateLastActivity|card\.attachments\[\]\.date|comment\.(date|data\.dateLastEdited))$/,
  "Authors of comments": /^comment\.(idMemberCreator|memberCreator\..*|data\.text)$/,
  "Uploaders of attachments": /^card\.attachments\[\]\.idMember$/,
  "Members of the board": /^(member\..*|setting\[\]\.(idMember|memberType|deactivated|unconfirmed))$/,
  "Members of cards and items": /^card\.(idMembers\[\]|checklists\[\]\.checkItems\[\]\.idMember)$/,
  "Votes of others": /^card\.idMembersVoted\[\]$/,
  "Reactions to comments": /^comment\.reactions\[\]\..*$/,
  "Data of Power-Ups": /^(card\.pluginData\[\]|setting\[\])\.(access|idModel|idPlugin|scope|value)$/,
};

const rowOf = (place: string) =>
  Object.keys(DECLARED_LOSSES).find((row) => DECLARED_LOSSES[row]?.test(place));

async function makeVotedBoard(name: string): Promise<BoardReference> {
  const board = await bench.world.makeBoard(name);
  await bench.world.happen(`/boards/${board.externalId}/edit`, {
    prefs: { voting: "members", background: "lime" },
  });
  const [card] =
    bench.world.simulator.world.state.boards.find(({ id }) => id === board.externalId)?.cards ?? [];
  await bench.world.happen(`/cards/${card?.id}/vote`, { login: "ivo_petrov" });
  return board;
}

test("a backup of the restored board equals the original except for the losses listed in the README", async () => {
  const board = await makeVotedBoard("Everything");
  const before = await bench.world.fingerprint(board);
  const original = await bench.backUp(board);
  const { item, events } = await bench.restore(original, "Everything");
  expect(item.externalId).not.toBe(board.externalId);
  expect(await bench.world.fingerprint(board)).toBe(before);
  const found = await differences(original, await bench.backUp(item));
  const undeclared = found.filter((place) => rowOf(place) === undefined);
  expect(undeclared).toEqual([]);
  // Every declared loss really occurs.
  const rows = new Set(found.map(rowOf));
  expect(
    Object.keys(DECLARED_LOSSES).filter((row) => !rows.has(row) && row !== "Uploaders of attachments"),
  ).toEqual([]);
  const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");
  for (const row of Object.keys(DECLARED_LOSSES)) {
    expect(readme, row).toMatch(new RegExp(`^\\| ${row} +\\| yes +\\| (no|changed)`, "m"));
  }
  expect(eventsOf(events, "restored")).toEqual(
    expect.arrayContaining([
      { type: "restored", kind: "card", count: 10 },
      { type: "restored", kind: "comment", count: 8 },
      { type: "restored", kind: "attachment", count: 4 },
      { type: "restored", kind: "list", count: 4 },
      { type: "restored", kind: "label", count: 5 },
    ]),
  );
  expect(eventsOf(events, "mapped")).toHaveLength(10);
  expect(bench.world.simulator.log.refusals()).toEqual([]);
}, 60_000);

test("generated boards are restored equally", async () => {
  const board = await bench.world.makeBoard("Generated", { content: "empty" });
  const many = {
    lists: 3,
    labels: 4,
    cards: 25,
    archivedCards: 4,
    comments: 40,
    checklists: 8,
    customFields: 4,
  };
  await bench.world.happen(`/boards/${board.externalId}/generate`, {
    ...many,
    attachments: 6,
    attachmentBytes: 3_000,
  });
  const original = await bench.backUp(board);
  const { item } = await bench.restore(original, "Generated");
  const found = await differences(original, await bench.backUp(item));
  expect(found.filter((place) => rowOf(place) === undefined)).toEqual([]);
}, 60_000);

test("comments are restored in order, each with a line that names author and time, and notify nobody", async () => {
  const board = await bench.world.makeBoard("Spoken");
  const { item } = await bench.restore(await bench.backUp(board), "Spoken again");
  const [first] = (await bench.world.dump(item)).lists
    .flatMap(({ cards }) => cards)
    .filter(({ comments }) => comments.length > 1);
  expect(first?.comments.slice(0, 6).map(({ text }) => text.match(/Comment \d/)?.[0])).toEqual(
    [1, 2, 3, 4, 5, 6].map((number) => `Comment ${number}`),
  );
  expect(first?.comments[2]?.text).toMatch(
    /^> \*\*Åsa Nyström \(asa_nystrom\)\*\* wrote this on 6 March 2024, 04:00 UTC\.\n\nComment 3/,
  );
  expect(first?.comments.every(({ text }) => !/(^|\s)@[a-z]/.test(text))).toBe(true);
});

test("a card with the longest name and refused comments is restored without them, each reported in a readable line", async () => {
  const board = await bench.world.makeBoard("Wordy", { content: "empty" });
  const generated = { lists: 1, cards: 1, comments: 150 };
  await bench.world.happen(`/boards/${board.externalId}/generate`, generated);
  const [card] =
    bench.world.simulator.world.state.boards.find(({ id }) => id === board.externalId)?.cards ?? [];
  if (!card) throw new Error("the board has no card");
  await bench.world.happen(`/cards/${card.id}/edit`, { name: "\u{1F69A}".repeat(8_192) });
  const refusing = bench.session({
    fetch: async (url, init) =>
      init?.method === "POST" && /\/actions\/comments/.test(url)
        ? new Response("forbidden", { status: 403 })
        : await fetch(url, init),
  });
  const { events } = await bench.restore(await bench.backUp(board), "Wordy again", { by: refusing });
  const missing = eventsOf(events, "missing");
  const unlisted = eventsOf(events, "unlisted").reduce((sum, { count }) => sum + count, 0);
  expect(missing.length + unlisted).toBe(150);
  for (const { what } of missing) expect([...what].length).toBeLessThan(510);
});

/** A board without what differs between two copies: the dates of their comments. */
function comparable(dump: BoardDump): string {
  return JSON.stringify({ ...dump, name: "" }, (key, value) => (key === "date" ? undefined : value));
}

/** A board with entries of every kind on few cards, small enough for a hundred restores. */
async function makeSmallBoard(name: string): Promise<MemorySnapshot> {
  const board = await makeVotedBoard(name);
  const cards =
    bench.world.simulator.world.state.boards.find(({ id }) => id === board.externalId)?.cards ?? [];
  for (const card of cards.slice(4)) await bench.world.happen(`/cards/${card.id}/delete`, {});
  return await bench.backUp(board);
}

test("a restore interrupted at any call and restarted creates no duplicates", async () => {
  const snapshot = await makeSmallBoard("Mortal");
  const counting = bench.session();
  const whole = await bench.restore(snapshot, "Whole", { by: counting });
  const wanted = comparable(await bench.world.dump(whole.item));
  const calls = counting.requests.length;
  expect(calls).toBeGreaterThan(50);
  await sweep(async () => {
    for (const death of samplePoints(calls, DEATHS)) {
      const name = `Mortal ${death}`;
      const journal = memoryJournal();
      const died = await bench.restore(snapshot, name, { journal, by: mortalSession(death) }).then(
        () => false,
        (error: unknown) => isDeath(error),
      );
      expect(died, `death at call ${death} of ${calls}`).toBe(true);
      const { item, events } = await bench.restore(snapshot, name, { journal });
      expect(comparable(await bench.world.dump(item)), `death at call ${death}`).toBe(wanted);
      expect(bench.world.boardsNamed(name), `death at call ${death}`).toHaveLength(1);
      expect(eventsOf(events, "restored"), `death at call ${death}`).toEqual(
        eventsOf(whole.events, "restored"),
      );
    }
  });
}, 300_000);

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

function isDeath(error: unknown): boolean {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if (/^The worker (died|is dead)\.$/.test(each.message)) return true;
  }
  throw error;
}

test("after a lost response the restore checks the result before it retries", async () => {
  const snapshot = await makeSmallBoard("Lossy");
  const whole = await bench.restore(snapshot, "Lossless");
  const wanted = comparable(await bench.world.dump(whole.item));
  const { faults, log } = bench.world.simulator;
  const posts = (from: number) =>
    log
      .requests()
      .slice(from)
      .filter(({ method }) => method === "POST").length;
  let from = log.requests().length;
  await bench.restore(snapshot, "Counted");
  const calls = posts(from);
  // Trello handles every third creation, but the response is lost.
  for (let skip = 2; skip < calls; skip += 3) {
    faults.add({ match: { method: "POST" }, skip: 2, action: { kind: "drop", handled: true } });
  }
  from = log.requests().length;
  const { item } = await bench.restore(snapshot, "Lossy again");
  faults.clear();
  expect(comparable(await bench.world.dump(item))).toBe(wanted);
  expect(
    log
      .requests()
      .slice(from)
      .filter(({ fault }) => fault !== null).length,
  ).toBeGreaterThan(5);
}, 60_000);

test("a card whose response was lost is looked for page by page, because a board may have more than one page", async () => {
  const snapshot = await makeSmallBoard("One card lost");
  const wanted = comparable(await bench.world.dump((await bench.restore(snapshot, "No card lost")).item));
  const { faults, log } = bench.world.simulator;
  faults.add({ match: { method: "POST", path: "/1/cards" }, action: { kind: "drop", handled: true } });
  const from = log.requests().length;
  const { item } = await bench.restore(snapshot, "One card lost again");
  faults.clear();
  expect(comparable(await bench.world.dump(item))).toBe(wanted);
  const looks = log
    .requests()
    .slice(from)
    .filter(({ method, path }) => method === "GET" && /\/boards\/[^/]+\/cards\?/.test(path));
  expect(looks.length).toBeGreaterThan(0);
  for (const { path } of looks) expect(path).toContain("limit=1000");
}, 60_000);

test("without custom fields in the plan their values are added to the descriptions, which is reported", async () => {
  const board = await bench.world.makeBoard("With fields");
  const place = bench.placeOf("freeharbour");
  const { item, events } = await bench.restore(await bench.backUp(board), "Without fields", { place });
  const dump = await bench.world.dump(item);
  expect(dump.organization).toBe("freeharbour");
  expect(dump.customFields).toEqual([]);
  const cards = dump.lists.flatMap(({ cards }) => cards);
  const told = cards.filter(({ desc }) => desc.includes("**Custom fields**"));
  expect(told).toHaveLength(2);
  expect(told.map(({ desc }) => desc).join("\n")).toContain("- Tonnes: -12.50");
  const changed = eventsOf(events, "changed").map(({ what }) => what);
  expect(changed.filter((what) => what.startsWith("Custom field "))).toHaveLength(5);
});

test("a file that is stored differently than uploaded is deleted and reported", async () => {
  const board = await bench.world.makeBoard("Tampered");
  const snapshot = await bench.backUp(board);
  const by = bench.session({
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      const isFile = url.startsWith(bench.world.simulator.storage.url) && url.includes("empty");
      return isFile ? new Response("not empty at all", { status: 200 }) : response;
    },
  });
  const { item, events } = await bench.restore(snapshot, "Tampered again", { by });
  const files = (await bench.world.dump(item)).lists
    .flatMap(({ cards }) => cards)
    .flatMap((card) => card.attachments);
  expect(files.map(({ name }) => name)).not.toContain("empty.txt");
  expect(files.filter(({ name }) => name === "cmr/scan?.bin")).toHaveLength(2);
  const told = eventsOf(events, "missing").filter(({ what }) => what.includes("empty.txt"));
  expect(told).toMatchObject([{ reason: expect.stringContaining("other bytes") }]);
});

test("a file that the plan does not allow is reported, and the rest is restored", async () => {
  const board = await bench.world.makeBoard("Heavy");
  const snapshot = await bench.backUp(board);
  await bench.world.happen("/settings", { paidAttachmentBytes: 1_000 });
  const { item, events } = await bench.restore(snapshot, "Lighter");
  await bench.world.happen("/settings", { paidAttachmentBytes: 250 * 1024 ** 2 });
  const told = eventsOf(events, "missing").filter(({ what }) => what.includes("cmr/scan?.bin"));
  expect(told).toHaveLength(2);
  expect((await bench.world.dump(item)).lists.flatMap(({ cards }) => cards)).toHaveLength(10);
});

test("a board is never restored to a wider audience: public ones become private, workspace ones stay in the same one", async () => {
  const levelOf = async (level: string, place?: string) => {
    const board = await bench.world.makeBoard(`Seen by ${level}`, { content: "empty" });
    await bench.world.happen(`/boards/${board.externalId}/edit`, { prefs: { permissionLevel: level } });
    const { item, events } = await bench.restore(await bench.backUp(board), "Seen", {
      place: bench.placeOf(place),
    });
    const told = eventsOf(events, "changed").some(({ what }) => what.startsWith("Visibility"));
    return [(await bench.world.dump(item)).prefs.permissionLevel, told];
  };
  expect(await levelOf("public")).toEqual(["private", true]);
  expect(await levelOf("org")).toEqual(["org", false]);
  expect(await levelOf("org", "freeharbour")).toEqual(["private", true]);
  expect(await levelOf("private")).toEqual(["private", false]);
});

test("a board deleted during its restore ends it, instead of one report line per card", async () => {
  const board = await bench.world.makeBoard("Vanishing");
  const snapshot = await bench.backUp(board);
  const by = bench.session({
    fetch: async (url, init) => {
      if (init?.method === "POST" && url.endsWith("/cards")) {
        const [made] = bench.world.boardsNamed("Vanishing again");
        if (made) await bench.world.happen(`/boards/${made.id}/delete`, {});
      }
      return await fetch(url, init);
    },
  });
  await expect(bench.restore(snapshot, "Vanishing again", { by })).rejects.toThrow("was deleted at Trello");
});

test("a restore needs few requests more than one per created object", async () => {
  const snapshot = await makeSmallBoard("Counted once");
  const by = bench.session();
  const { events } = await bench.restore(snapshot, "Counted twice", { by });
  const made = eventsOf(events, "restored").reduce((sum, { count }) => sum + count, 0);
  const items = 4;
  const files = pathsBelow(snapshot, "cards/").filter((path) => path.includes("/attachments/")).length;
  // In addition, each file is downloaded again via two hosts, and cards and board get their final state.
  expect(by.requests.length).toBeLessThanOrEqual(made + items + 2 * files + 12);
});
