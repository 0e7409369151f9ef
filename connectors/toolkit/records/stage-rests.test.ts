import { expect, test } from "vitest";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { BackupEvent, BackupOrder, PlatformItem } from "#connectors/contract/platform-connector.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { DAY_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { testSession } from "#tests/conformance/test-session.ts";
import { isWholeDue, WHOLE_EVERY_DAYS, weekStart } from "./backup-state.ts";
import { type BackupStage, runStages } from "./run-stages.ts";
import type { Feed } from "./stage-rests.ts";

const item: PlatformItem = {
  ...{ kind: "thing", externalId: "7", name: "thing", fullName: "a/thing" },
  ...{ description: null, sizeHintBytes: null, details: null },
};
/** The first day of a week of the item, so that the six days after it read changes only. */
const MONDAY = weekStart(item.externalId, 3_000 * DAY_MS);

type Day = { now: number; previous?: MemorySnapshot; previousAt?: number; cursor?: Json; isLast?: boolean };

function events(stages: BackupStage[], { now, previous, previousAt, cursor = null, isLast }: Day) {
  const session = {
    ...testSession({ config: {}, token: "t", accountName: "a", fetch: async () => new Response("") }),
    clock: { now: () => now },
  };
  const order: BackupOrder = { item, previous: previous ?? null, previousAt, cursor };
  return runStages(stages, session, { ...order, isLastAttempt: () => isLast === true });
}

const backUp = (stages: BackupStage[], day: Day) => takeSnapshot(events(stages, day), day.previous);

/** A stage that can be counted, with what it yields and the feed that it has. */
function watched(feed?: () => Feed | null) {
  const world = { reads: 0, value: 1, failure: null as ConnectorError | null, skips: 0 };
  const stage: BackupStage = {
    id: "x",
    optional: { kind: "x", path: "x/", prefixes: ["x/"] },
    rests: { prefixes: ["x/"], ...(feed && { feed }) },
    async *run() {
      world.reads += 1;
      if (world.failure) throw world.failure;
      yield { type: "record", path: "x/1.json", kind: "x", value: world.value };
      yield { type: "reported", kind: "x", count: 1 };
      for (let at = 0; at < world.skips; at++)
        yield { type: "skipped", path: `x/no-${at}`, kind: "x", reason: "No." };
    },
  };
  return { world, stage };
}

const hashes = (snapshot: MemorySnapshot) =>
  Object.fromEntries([...snapshot.entries.values()].map(({ info }) => [info.path, info.hash]));

/** Everything that makes two versions equal. */
const whole = (snapshot: MemorySnapshot) => ({
  hashes: hashes(snapshot),
  skipped: snapshot.skipped,
  reported: snapshot.reported,
});

test("a stage whose feed has not moved is not read, and the version stays equal", async () => {
  let feed: Feed | null = { value: "1", newest: null };
  const { world, stage } = watched(() => feed);
  const first = await backUp([stage], { now: MONDAY });
  const again = { previous: first, previousAt: MONDAY };
  const second = await backUp([stage], { ...again, now: MONDAY + DAY_MS });
  expect(world.reads).toBe(1);
  expect(whole(second)).toEqual(whole(first));
  feed = { value: "2", newest: null };
  world.value = 2;
  const third = await backUp([stage], { ...again, now: MONDAY + DAY_MS });
  expect(world.reads).toBe(2);
  expect(await third.readRecord("x/1.json")).toBe(2);
  feed = null;
  await backUp([stage], { previous: third, previousAt: MONDAY + DAY_MS, now: MONDAY + 2 * DAY_MS });
  expect(world.reads).toBe(3);
});

test("a feed proves nothing while its latest change is as young as the previous backup", async () => {
  const times = [
    { newest: MONDAY + MINUTE_MS, reads: 2 },
    { newest: MONDAY, reads: 2 },
    { newest: MONDAY - 4 * MINUTE_MS, reads: 2 },
    { newest: MONDAY - 6 * MINUTE_MS, reads: 1 },
  ];
  for (const { newest, reads } of times) {
    const feed: Feed = { value: "1", newest: new Date(newest).toISOString() };
    const { world, stage } = watched(() => feed);
    const first = await backUp([stage], { now: MONDAY });
    await backUp([stage], { previous: first, previousAt: MONDAY, now: MONDAY + DAY_MS });
    expect(world.reads, new Date(newest).toISOString()).toBe(reads);
  }
});

test("without a known time of the previous backup nothing rests", async () => {
  const { world, stage } = watched(() => ({ value: "1", newest: null }));
  const first = await backUp([stage], { now: MONDAY });
  await backUp([stage], { previous: first, now: MONDAY + DAY_MS });
  expect(world.reads).toBe(2);
});

test("an undated stage is read in the first backup of each week, also when its first day had none", async () => {
  const { world, stage } = watched();
  let previous: MemorySnapshot | undefined;
  let previousAt: number | undefined;
  const reads: number[] = [];
  for (const day of [0, 1, 2, 6, 9, 10, 13, 14, 30, 31]) {
    const now = MONDAY + day * DAY_MS;
    const before = world.reads;
    previous = await backUp([stage], { now, ...(previous && { previous, previousAt }) });
    previousAt = now;
    if (world.reads > before) reads.push(day);
  }
  expect(reads).toEqual([0, 9, 14, 30]);
});

test("what an undated stage may not read is listed in every version, without asking again", async () => {
  const { world, stage } = watched();
  world.failure = new ConnectorError("forbidden", "No rights.");
  const first = await backUp([stage], { now: MONDAY });
  expect(first.skipped).toMatchObject([{ reason: "No rights." }]);
  const second = await backUp([stage], { now: MONDAY + DAY_MS, previous: first, previousAt: MONDAY });
  expect(world.reads).toBe(1);
  expect(whole(second)).toEqual(whole(first));
});

test("a stage that skipped because of a failure that may pass is read again in the next backup", async () => {
  for (const feed of [undefined, () => ({ value: "1", newest: null })]) {
    const { world, stage } = watched(feed);
    world.failure = new ConnectorError("unavailable", "Down.");
    const first = await backUp([stage], { now: MONDAY, isLast: true });
    expect(first.skipped).toMatchObject([{ reason: "Down." }]);
    world.failure = null;
    const next = { now: MONDAY + DAY_MS, previous: first, previousAt: MONDAY };
    const second = await backUp([stage], next);
    expect(world.reads).toBe(2);
    expect(second.skipped).toEqual([]);
    await backUp([stage], { now: MONDAY + 2 * DAY_MS, previous: second, previousAt: MONDAY + DAY_MS });
    expect(world.reads).toBe(2);
  }
});

test("a stage with a feed that skipped anything is read again, and so is one with too much to list", async () => {
  const cases = [
    { feed: () => ({ value: "1", newest: null }), skips: 1, reads: 2 },
    { feed: undefined, skips: 50, reads: 1 },
    { feed: undefined, skips: 51, reads: 2 },
  ];
  for (const { feed, skips, reads } of cases) {
    const { world, stage } = watched(feed);
    world.skips = skips;
    const first = await backUp([stage], { now: MONDAY });
    await backUp([stage], { now: MONDAY + DAY_MS, previous: first, previousAt: MONDAY });
    expect(world.reads, `${skips} skips`).toBe(reads);
  }
});

test("a run continued in the middle of a stage leaves the same rest", async () => {
  const stage: BackupStage = {
    id: "x",
    takesEveryPoint: true,
    rests: { prefixes: ["x/"] },
    async *run(_, cursor) {
      for (let at = (cursor as number | null) ?? 0; at < 3; at++) {
        yield { type: "record", path: `x/${at}.json`, kind: "x", value: at };
        yield { type: "skipped", path: `x/no-${at}`, kind: "x", reason: "No." };
        yield { type: "checkpoint", cursor: at + 1 };
      }
      yield { type: "reported", kind: "x", count: 3 };
    },
  };
  const all: BackupEvent[] = [];
  for await (const event of events([stage], { now: MONDAY })) all.push(event);
  for (const event of all) {
    if (event.type !== "checkpoint") continue;
    const rest: BackupEvent[] = [];
    for await (const each of events([stage], { now: MONDAY, cursor: event.cursor })) rest.push(each);
    expect(rest.at(-1)).toEqual(all.at(-1));
  }
  expect(all.at(-1)).toMatchObject({
    value: { rests: { x: { feed: null, reported: { x: 3 }, skipped: [{}, {}, {}] } } },
  });
});

test("a version taken in a week is never preceded by a full read older than the week", () => {
  for (const externalId of ["1", "7", "813204", "a-b-c"]) {
    for (let hour = 0; hour < 24 * 15; hour += 5) {
      const now = MONDAY + hour * 3_600_000;
      const start = weekStart(externalId, now);
      expect(start).toBeLessThanOrEqual(now);
      expect(now - start).toBeLessThan(WHOLE_EVERY_DAYS * DAY_MS);
      expect(isWholeDue(externalId, now, start - 1)).toBe(true);
      expect(isWholeDue(externalId, now, start)).toBe(false);
    }
  }
});

test("items whose ids follow each other begin their weeks on different days", () => {
  const series = {
    jira: (n: number) => `${10_000 + n}`,
    trello: (n: number) => `65e57f804a7c21e90b${(n + 4096).toString(16)}`,
  };
  for (const id of Object.values(series)) {
    const days = Array.from({ length: WHOLE_EVERY_DAYS }, () => 0);
    for (let n = 0; n < 700; n++) days[Math.floor((MONDAY - weekStart(id(n), MONDAY)) / DAY_MS)]!++;
    expect(Math.min(...days)).toBeGreaterThan(60);
    expect(Math.max(...days)).toBeLessThan(160);
  }
});
