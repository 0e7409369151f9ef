import { expect, test } from "vitest";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { BackupEvent, PlatformItem } from "#connectors/contract/platform-connector.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { UnreadableCursorError } from "#core/kernel/stored-json.ts";
import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { testSession } from "#tests/conformance/test-session.ts";
import { isWholeDay } from "./backup-state.ts";
import { type BackupStage, runStages } from "./run-stages.ts";

const item: PlatformItem = {
  kind: "thing",
  externalId: "1",
  name: "thing",
  fullName: "a/thing",
  description: null,
  sizeHintBytes: null,
  details: null,
};
const answer = async () => new Response("");

function session(now = 1_000) {
  return {
    ...testSession({ config: {}, token: "t", accountName: "a", fetch: answer }),
    clock: { now: () => now },
  };
}

function run(stages: BackupStage[], order: { previous?: MemorySnapshot; cursor?: Json; now?: number } = {}) {
  const { previous = null, cursor = null, now } = order;
  return runStages(stages, session(now), { item, previous, cursor });
}

/** A stage that sends one request per record and yields a checkpoint after each. */
function counting(id: string, count: number): BackupStage {
  return {
    id,
    async *run({ session: counted, next }, cursor) {
      for (let at = (cursor as number | null) ?? 0; at < count; at++) {
        await counted.fetch("http://example");
        yield { type: "record", path: `${id}/${at}.json`, kind: id, value: { at } };
        yield { type: "checkpoint", cursor: at + 1 };
      }
      next.counts[id] = count;
    },
  };
}

const pathsOf = (events: BackupEvent[]) =>
  events.flatMap((event) => (event.type === "record" ? [event.path] : []));

test("a backup resumed from any checkpoint has the same entries and state", async () => {
  const stages = [counting("a", 45), counting("b", 30), counting("c", 1)];
  const whole: BackupEvent[] = [];
  for await (const event of run(stages)) whole.push(event);
  const points = whole.flatMap((event, index) =>
    event.type === "checkpoint" ? [{ index, cursor: event.cursor }] : [],
  );
  expect(points.length).toBe(3);
  for (const { index, cursor } of points) {
    const rest: BackupEvent[] = [];
    for await (const event of run(stages, { cursor })) rest.push(event);
    expect([...pathsOf(whole.slice(0, index)), ...pathsOf(rest)]).toEqual(pathsOf(whole));
    expect(rest.at(-1)).toEqual(whole.at(-1));
  }
});

test("a cursor of another release or of an unknown stage is refused", async () => {
  const stages = [counting("a", 45), counting("b", 30)];
  const points: Json[] = [];
  for await (const event of run(stages)) if (event.type === "checkpoint") points.push(event.cursor);
  const point = points[0] as { [key: string]: Json };
  const strange = { ...point, part: "c" };
  for (const cursor of [{ ...point, version: 2 }, { ...point, more: 1 }, strange, {}, [], "a", 1] as Json[]) {
    const resumed = run(stages, { cursor });
    await expect(resumed.next(), JSON.stringify(cursor)).rejects.toThrow(UnreadableCursorError);
  }
});

test("an inaccessible stage is reported, and its previous entries are kept", async () => {
  let isHidden = false;
  const secret: BackupStage = {
    id: "secret",
    optional: { kind: "secret", path: "secret/", prefixes: ["secret/"] },
    async *run(_, __) {
      if (isHidden) throw new ConnectorError("forbidden", "No rights.");
      yield { type: "record", path: "secret/1.json", kind: "secret", value: 1 };
    },
  };
  const stages = [secret, counting("open", 2)];
  const first = await takeSnapshot(run(stages));
  isHidden = true;
  const second = await takeSnapshot(run(stages, { previous: first }), first);
  expect([...second.entries.keys()].sort()).toEqual([...first.entries.keys()].sort());
  expect(second.skipped).toMatchObject([
    { path: "secret/", kind: "secret", reason: "No rights. What the previous version holds is kept." },
  ]);
  expect((await takeSnapshot(run(stages))).skipped).toMatchObject([{ reason: "No rights." }]);
});

test("a failure of the whole run is rethrown", async () => {
  for (const kind of ["unauthorized", "rate-limited", "unavailable", "malformed"] as const) {
    const stage: BackupStage = {
      id: "x",
      optional: { kind: "x", path: "x/", prefixes: ["x/"] },
      // biome-ignore lint/correctness/useYield: a stage that fails before its first event
      async *run() {
        throw new ConnectorError(kind, "No.");
      },
    };
    await expect(takeSnapshot(run([stage]))).rejects.toMatchObject({ kind });
  }
});

test("everything is read the first time and then once a week, without a trace in the version", async () => {
  const wholes: boolean[] = [];
  const stage: BackupStage = {
    id: "x",
    async *run({ known }) {
      wholes.push(known === null);
      yield { type: "reported", kind: "x", count: 0 };
    },
  };
  let previous: MemorySnapshot | undefined;
  const days = Array.from({ length: 22 }, (_, day) => day * DAY_MS);
  const states = new Set<string>();
  for (const now of days) {
    previous = await takeSnapshot(run([stage], { previous, now }), previous);
    states.add(JSON.stringify(await previous.readRecord("state.json")));
  }
  expect(wholes).toEqual(days.map((now, day) => day === 0 || isWholeDay(item.externalId, now)));
  expect(wholes.slice(1).filter(Boolean)).toHaveLength(3);
  expect(states.size).toBe(1);
});

test("the last attempt skips a stage that keeps failing, and the stages after it start at a new checkpoint", async () => {
  for (const kind of ["unavailable", "malformed"] as const) {
    const failing: BackupStage = {
      id: "x",
      optional: { kind: "x", path: "x/", prefixes: ["x/"] },
      async *run({ next }) {
        yield { type: "record", path: "x/1.json", kind: "x", value: 1 };
        next.counts.x = 1;
        throw new ConnectorError(kind, "No.");
      },
    };
    const stages = [failing, counting("y", 1)];
    const order = { item, previous: null, cursor: null };
    const events: BackupEvent[] = [];
    for await (const event of runStages(stages, session(), { ...order, isLastAttempt: () => true })) {
      events.push(event);
    }
    expect(events).toContainEqual({ type: "skipped", path: "x/", kind: "x", reason: "No." });
    expect(events.at(-1)).toMatchObject({ value: { counts: { y: 1 } } });
    const [skipped, point] = [
      events.findIndex(({ type }) => type === "skipped"),
      events.findIndex(({ type }) => type === "checkpoint"),
    ];
    expect(point).toBe(skipped + 1);
    const again = runStages(stages, session(), { ...order, isLastAttempt: () => false });
    await expect(takeSnapshot(again)).rejects.toMatchObject({ kind });
  }
});

test("rate limits, a lost authorisation and our own errors end the run even at its last attempt", async () => {
  const faults = [
    new ConnectorError("unauthorized", "No."),
    new ConnectorError("rate-limited", "Later."),
    new ConnectorError("full", "No room."),
    new Error("An invariant is broken"),
    new UnreadableCursorError("What is this?"),
  ];
  for (const fault of faults) {
    const stage: BackupStage = {
      id: "x",
      optional: { kind: "x", path: "x/", prefixes: ["x/"] },
      // biome-ignore lint/correctness/useYield: a stage that fails before its first event
      async *run() {
        throw fault;
      },
    };
    const order = { item, previous: null, cursor: null, isLastAttempt: () => true };
    await expect(takeSnapshot(runStages([stage], session(), order))).rejects.toBe(fault);
  }
});
