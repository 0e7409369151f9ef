import { expect, test } from "vitest";
import { randomBytes } from "#core/kernel/crypto.ts";
import { randomIds } from "#core/kernel/ids.ts";
import { memoryBucket } from "#tests/harness/memory-bucket.ts";
import { memoryRegistry } from "#tests/harness/memory-registry.ts";
import { openDraftEvents } from "./draft-events.ts";
import {
  type DraftEvent,
  type DraftState,
  mergeEvents,
  readSegment,
  readSegmentState,
  writeSegment,
} from "./draft-segments.ts";
import { createUndo } from "./draft-undo.ts";
import { hashOf } from "./record-pack.ts";
import type { ManifestEntry } from "./types.ts";

const scope = { organisationId: "org_a", itemId: "itm_a" };
const target = { scope, runId: "run_a" };

function setUp() {
  const organisationKey = { version: 1, bytes: randomBytes(32) };
  return { bucket: memoryBucket(), registry: memoryRegistry(), organisationKey, ids: randomIds };
}

const stateOf = (more: Partial<DraftState> = {}): DraftState => ({
  previous: null,
  seq: 0,
  keeps: [],
  skipped: [],
  skippedCount: 0,
  reported: {},
  written: {},
  temporary: [],
  ...more,
});
const entryOf = (path: string): ManifestEntry => ({
  path,
  kind: "issue",
  type: "record",
  sizeBytes: path.length,
  hash: hashOf(path),
  crc32: 1,
  where: { object: "obj_data", offset: 0, length: path.length, method: 0 },
});
const eventOf = (path: string, seq: number): DraftEvent => ({ path, seq, entry: null });

function openEvents(deps: ReturnType<typeof setUp>) {
  const state = stateOf();
  const order = { scope, runId: "run_a", previous: null, state, segments: [], undo: createUndo() };
  return { state, events: openDraftEvents(deps, order) };
}

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of source) found.push(each);
  return found;
}

test("a segment gives back its state, with itself as temporary, and its events", async () => {
  const deps = setUp();
  const state = stateOf({ seq: 5, temporary: ["obj_old"], written: { obj_x: 7 } });
  const events = [eventOf("a", 1), { path: "b", seq: 2, entry: entryOf("b") }];
  const segment = await writeSegment(deps, target, { state, events });
  expect(await readSegmentState(deps, scope, segment)).toEqual({
    ...state,
    temporary: ["obj_old", segment.id],
  });
  expect(await all(readSegment(deps, scope, segment))).toEqual(events);
  expect(deps.registry.stored.get(segment.id)).toMatchObject({ kind: "draft", sizeBytes: segment.sizeBytes });
});

test("events of several megabytes keep every letter, wherever a frame ends", async () => {
  const deps = setUp();
  for (const shift of ["", "x"]) {
    const events = Array.from({ length: 900 }, (_, at) =>
      eventOf(`${shift}${at}${"é".repeat(1_500)}`, at + 1),
    );
    const segment = await writeSegment(deps, target, { state: stateOf(), events });
    expect(segment.sizeBytes).toBeGreaterThan(2 * 1_048_576);
    const found = await all(readSegment(deps, scope, segment));
    expect(JSON.stringify(found) === JSON.stringify(events)).toBe(true);
  }
});

test("a segment that cannot be written leaves nothing behind, and its error is told", async () => {
  const deps = setUp();
  async function* failing(): AsyncGenerator<DraftEvent> {
    yield eventOf("a".repeat(9 * 1_048_576), 1);
    throw new Error("no more events");
  }
  await expect(writeSegment(deps, target, { state: stateOf(), events: failing() })).rejects.toThrow(
    "no more events",
  );
  expect([deps.bucket.objects.size, deps.bucket.openUploads(), deps.registry.reserved.size]).toEqual([
    0, 0, 0,
  ]);
});

test("an empty segment is truncated, and one with another state is refused", async () => {
  const deps = setUp();
  const segment = await writeSegment(deps, target, { state: stateOf(), events: [] });
  await expect(readSegmentState(deps, scope, { ...segment, id: "obj_none" })).rejects.toMatchObject({
    kind: "missing",
  });
  const strange = { ...stateOf(), more: 1 } as unknown as DraftState;
  const other = await writeSegment(deps, target, { state: strange, events: [] });
  await expect(readSegmentState(deps, scope, other)).rejects.toThrow("not of a form");
});

test("of the events of one path only the newest is left, whichever source has it", async () => {
  const one = [eventOf("a", 1), eventOf("b", 9), eventOf("d", 3)];
  const two = [eventOf("a", 4), eventOf("b", 2), eventOf("c", 5)];
  const three = [eventOf("a", 2), eventOf("e", 1)];
  const expected = ["a 4", "b 9", "c 5", "d 3", "e 1"];
  for (const sources of [
    [one, two, three],
    [three, two, one],
    [two, three, one],
  ]) {
    const merged = await all(mergeEvents(sources));
    expect(merged.map(({ path, seq }) => `${path} ${seq}`)).toEqual(expected);
  }
  expect(await all(mergeEvents([]))).toEqual([]);
  expect(await all(mergeEvents([[], one, []]))).toEqual(one);
});

test("at sixteen thousand events in memory they move to a segment, and the newest of each path is found", async () => {
  const deps = setUp();
  const { state, events } = openEvents(deps);
  for (let at = 1; at < 16_384; at++) await events.note(`p/${at}`, null);
  expect(events.segments()).toHaveLength(0);
  await events.note("p/last", entryOf("p/last"));
  expect(events.segments()).toHaveLength(1);
  for (let at = 2; at <= 6; at++) {
    await events.note(`q/${at}`, entryOf(`q/${at}`));
    await events.store();
  }
  await events.note("q/2", null);
  await events.store();
  // What is small is merged, what is large is not written again.
  expect(events.segments()).toHaveLength(3);
  expect(state.temporary).toHaveLength(7);
  const paths = (await all(events.merged(() => {}))).map(({ entry }) => entry.path);
  expect(paths).toEqual(["p/last", "q/3", "q/4", "q/5", "q/6"]);
});

test.each([40, 1_000])(
  "however often events are stored, with paths of %i letters, segments stay few and are seldom written again",
  async (letters) => {
    const deps = setUp();
    const { events } = openEvents(deps);
    const [times, each] = [120, 5];
    for (let at = 0; at < times; at++) {
      for (let path = 0; path < each; path++)
        await events.note(`${path}/${at}`, entryOf(`${path}/${at}`.padEnd(letters, "x")));
      await events.store();
      expect(events.segments().length).toBeLessThanOrEqual(Math.log2(at + 2) + 1);
    }
    expect(await all(events.merged(() => {}))).toHaveLength(times * each);
    const written = [...deps.registry.stored.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const least = events.segments().reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    expect(written / least).toBeLessThan(2 * Math.log2(times));
  },
);

test("changes since a mark are taken back, the latest first, as long as they are in memory", () => {
  const undo = createUndo();
  const done: string[] = [];
  undo.note(() => done.push("before the mark"));
  expect(undo.rollBack()).toBe(false);
  undo.mark();
  undo.note(() => done.push("first"));
  undo.note(() => done.push("second"));
  expect(undo.rollBack()).toBe(true);
  expect(undo.rollBack()).toBe(true);
  expect(done).toEqual(["second", "first"]);
  undo.note(() => done.push("third"));
  undo.forget();
  expect(undo.rollBack()).toBe(false);
  expect(done).toHaveLength(2);
});
