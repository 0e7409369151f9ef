import { expect, test } from "vitest";
import type { RestoredItem, RestoreJournal } from "#connectors/contract/platform-connector.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { memoryJournal } from "#tests/conformance/test-session.ts";
import { isDeep, samplePoints, sweep } from "#tests/harness/sample.ts";
import { githubClient } from "../client.ts";
import { createRepository, fullName } from "../simulator/repositories.ts";
import type { RestoreIo } from "./restore-io.ts";
import { pacedClient } from "./restore-pace.ts";
import { openWorld } from "./restore-test-world.ts";
import { restoreThreads } from "./restore-threads.ts";

type World = Awaited<ReturnType<typeof openWorld>>;
/** An issue of a snapshot: how many comments it has, and how long each text is. */
type Talk = { number: number; comments: number; length?: number; isClosed?: boolean; isLocked?: boolean };

const WAYS = [
  ["call by call", false],
  ["by GitHub's import", true],
] as const;
const GAPS = isDeep() ? 300 : 120;
/** Crash points in a run of a few hundred calls. */
const DEATHS = isDeep() ? 24 : 10;

/** A snapshot with these issues and nothing else. */
async function versionWith(talks: readonly Talk[]): Promise<MemorySnapshot> {
  const version = await takeSnapshot(nothing());
  const put = (path: string, kind: string, value: Json) => {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    const info = { path, kind, type: "record", sizeBytes: bytes.length, hash: path } as const;
    version.entries.set(path, { info, bytes });
  };
  const pad = (number: number) => String(number).padStart(12, "0");
  for (const { number, comments, length = 10, isClosed = false, isLocked = false } of talks) {
    const folder = `issues/${pad(number)}/`;
    const said = { body: "word ".repeat(length / 5), user: { login: "ivo-petrov" } };
    // The newest number is the oldest issue, as after an import. No list by date is in number order.
    const created_at = new Date(Date.UTC(2020, 0, 1) - number * 86_400_000).toISOString();
    const state = isClosed ? "closed" : "open";
    const facts = { number, title: `Issue ${number}`, state, locked: isLocked, created_at };
    put(`${folder}issue.json`, "issue", { ...said, ...facts, closed_at: isClosed ? created_at : null });
    for (let comment = 1; comment <= comments; comment++) {
      const at = new Date(Date.parse(created_at) + comment * 60_000).toISOString();
      put(`${folder}comments/${pad(comment)}.json`, "issue-comment", { ...said, created_at: at });
    }
  }
  return version;
}

async function* nothing() {}

/** Restores the issues into a new repository. `dyingAfter` is the number of responses before a crash. */
async function restore(
  { world, session }: World,
  {
    snapshot,
    created,
    journal,
  }: { snapshot: MemorySnapshot; created: RestoredItem; journal: RestoreJournal },
  dyingAfter = Number.POSITIVE_INFINITY,
) {
  let sent = 0;
  const dying = session(async (url, init) => {
    const answer = await fetch(url, init);
    if (++sent >= dyingAfter) throw new TypeError("The worker died.");
    return answer;
  });
  // Imports finish at once here, so no pause is needed.
  const by = { ...dying, sleep: async () => undefined };
  const order = {
    sourceName: "nora/there",
    branches: new Set<string>(),
    milestones: new Map<number, number>(),
  };
  const io: RestoreIo = {
    ...{ snapshot, created, journal, client: pacedClient(by, githubClient(by)) },
    session: { ...by, config: world.config },
  };
  const events = [];
  for await (const event of restoreThreads(io, order)) events.push(event);
  return { events, calls: sent };
}

function newRepository({ world }: World, name: string): RestoredItem {
  const owner = world.accountName;
  const repository = createRepository(world.simulator.world, {
    owner,
    name,
    visibility: "private",
    description: null,
  });
  const { externalId } = world.reference(repository);
  const webUrl = `${world.simulator.webUrl}/${fullName(repository)}`;
  return { externalId, name, fullName: fullName(repository), webUrl };
}

/** Every number with its title, state, lock and comment count, as the simulator stores them. */
function keptOf({ world }: World, { externalId }: RestoredItem) {
  const found = world.simulator.world.state.repositories.find(({ id }) => String(id) === externalId);
  const { issues, comments } = world.simulator.world.records.of(found!);
  const count = (number: number) => comments.filter(({ issue }) => issue === number).length;
  return issues.map(({ number, title, state, isLocked }) => [number, title, state, isLocked, count(number)]);
}

const wantedOf = (talks: readonly Talk[]) => {
  const byNumber = new Map(talks.map((talk) => [talk.number, talk]));
  const highest = Math.max(...byNumber.keys());
  return Array.from({ length: highest }, (_, index) => {
    const talk = byNumber.get(index + 1);
    if (!talk) return [index + 1, `Placeholder for #${index + 1}`, "closed", false, 0];
    const state = talk.isClosed ? "closed" : "open";
    return [talk.number, `Issue ${talk.number}`, state, talk.isLocked ?? false, talk.comments];
  });
};

test.each(WAYS)(
  "a restore %s that is interrupted after any call creates no number or comment twice",
  async (_way, offersImportToApps) => {
    const open = await openWorld({ offersImportToApps, importMs: 0 });
    const talks = [
      ...[
        { number: 2, comments: 3, isClosed: true },
        { number: 3, comments: 0, isLocked: true },
      ],
      ...[
        { number: 6, comments: 2 },
        { number: 7, comments: 0, isClosed: true, isLocked: true },
      ],
    ];
    const snapshot = await versionWith(talks);
    const whole = newRepository(open, "whole");
    const { calls } = await restore(open, { snapshot, created: whole, journal: memoryJournal() });
    expect(keptOf(open, whole)).toEqual(wantedOf(talks));
    for (let call = 1; call <= calls; call++) {
      const order = { snapshot, created: newRepository(open, `dies-${call}`), journal: memoryJournal() };
      await restore(open, order, call).catch(() => undefined);
      const { events } = await restore(open, order);
      expect(keptOf(open, order.created), `dead after call ${call}`).toEqual(wantedOf(talks));
      expect(events).toContainEqual({ type: "restored", kind: "issue", count: talks.length });
    }
  },
  120_000,
);

test.each(WAYS)(
  "with hundreds of lost and kept numbers a restore %s that is interrupted repeatedly creates each number once",
  async (_way, offersImportToApps) => {
    const open = await openWorld({ offersImportToApps, importMs: 0 });
    // As many numbers are lost as kept, in gaps of all lengths.
    const talks: Talk[] = [];
    for (let number = 1, gaps = 0; talks.length < GAPS + 1; number++) {
      const isLost = gaps < GAPS && (number * number) % 7 < 4 && gaps <= talks.length + 40;
      if (isLost) gaps += 1;
      else talks.push({ number, comments: number % 97 === 0 ? 2 : 0 });
    }
    const snapshot = await versionWith(talks);
    const order = { snapshot, created: newRepository(open, "often"), journal: memoryJournal() };
    const whole = newRepository(open, "whole");
    const { calls } = await restore(open, { ...order, created: whole, journal: memoryJournal() });
    expect(keptOf(open, whole)).toEqual(wantedOf(talks));
    await sweep(async () => {
      // One run that dies at many places. Each attempt gets a little further than the last journal entry.
      const points = samplePoints(calls, DEATHS);
      const lengths = points.map((point, index) => 90 + (point % 37) + index);
      for (const length of lengths) await restore(open, order, length).catch(() => undefined);
      await restore(open, order);
      expect(keptOf(open, order.created)).toEqual(wantedOf(talks));
    });
  },
  240_000,
);

test("a thread that is too long for the import is restored by single calls, which is reported", async () => {
  const open = await openWorld({ offersImportToApps: true, importMs: 0 });
  const talks = [
    ...[
      { number: 1, comments: 1 },
      { number: 2, comments: 30, length: 50_000, isClosed: true },
    ],
    { number: 3, comments: 0 },
  ];
  const snapshot = await versionWith(talks);
  const created = newRepository(open, "long");
  const { events } = await restore(open, { snapshot, created, journal: memoryJournal() });
  expect(keptOf(open, created)).toEqual(wantedOf(talks));
  expect(events.filter(({ type }) => type === "impossible")).toEqual([]);
  expect(events.filter(({ type }) => type === "changed")).toEqual([
    { type: "changed", what: "#2 Issue 2", reason: expect.stringContaining("Too long for GitHub's import") },
  ]);
  for (const call of [4, 7, 12, 30]) {
    const order = { snapshot, created: newRepository(open, `long-${call}`), journal: memoryJournal() };
    await restore(open, order, call).catch(() => undefined);
    await restore(open, order);
    expect(keptOf(open, order.created), `dead after call ${call}`).toEqual(wantedOf(talks));
  }
}, 120_000);

test("a refused thread leaves a placeholder, which a resumed run keeps", async () => {
  const open = await openWorld();
  const talks = [1, 2, 3].map((number) => ({ number, comments: 2 }));
  const snapshot = await versionWith(talks);
  const order = { snapshot, created: newRepository(open, "refused"), journal: memoryJournal() };
  const refuse = (times: number) =>
    open.world.simulator.faults.add({
      match: { method: "POST", path: "/issues$" },
      skip: 1,
      times,
      action: {
        kind: "answer",
        status: 422,
        headers: { "content-type": "application/json" },
        body: { message: "Validation Failed" },
      },
    });
  refuse(1);
  await restore(open, order, 10).catch(() => undefined);
  const { events } = await restore(open, order);
  expect(
    keptOf(open, order.created).map(([number, title, , , comments]) => [number, title, comments]),
  ).toEqual([
    [1, "Issue 1", 2],
    [2, "Placeholder for #2", 0],
    [3, "Issue 3", 2],
  ]);
  expect(events).toContainEqual(expect.objectContaining({ type: "missing", what: "#2 Issue 2" }));
  expect(events).toContainEqual({ type: "restored", kind: "issue", count: 2 });
});
