import fc from "fast-check";
import { expect, test, vi } from "vitest";
import type { ReportedTest } from "#tests/harness/test-reports.ts";
import { idsIn } from "#tests/spec/render-coverage.ts";
import {
  findLongTests,
  hashOfTexts,
  keyOf,
  type LongTest,
  pickWaiting,
  readLongTests,
  renderLongTests,
  turnOf,
  withPassed,
} from "./rotation.ts";

const reported = (title: string, ms: number, more: Partial<ReportedTest> = {}): ReportedTest => ({
  ...{ title, ms, file: "a.test.ts", outcome: "passed", steps: [], failures: [] },
  ...more,
});
const titlesOf = (tests: readonly { title: string }[]) => tests.map(({ title }) => title);
const SOURCES = "0123456789ab";
const unchanged = () => SOURCES;
const listed = (title: string, more: Partial<LongTest> = {}): LongTest => ({
  ...{ title, file: "a.test.ts", hash: SOURCES, turn: 0 },
  ...more,
});

test("long tests are listed unless a requirement has no other test, the longest first", () => {
  const tests = [
    reported("short", 199),
    reported("long", 200),
    reported("short in workerd", 299, { file: "a.worker.test.ts" }),
    reported("long in workerd", 300, { file: "a.worker.test.ts" }),
    reported("[P-001] alone", 9_000),
    reported("[P-002] longer", 9_000),
    reported("[P-002] long", 8_000),
    reported("by its step", 9_000, { steps: ["[P-003] only here"] }),
    reported("every world", 9_000, { file: "tests/simulation/simulation.test.ts" }),
    reported("the next part of a story", 9_000, { file: "story.test.ts" }),
  ];
  const found = findLongTests(tests, (file) => file === "story.test.ts");
  expect(titlesOf(found)).toEqual(["[P-002] longer", "long", "long in workerd"]);
});

test("whatever tests prove, a run without all listed tests proves the same", () => {
  const id = fc.integer({ min: 1, max: 6 }).map((number) => `[P-00${number}]`);
  const some = fc.record({
    ids: fc.uniqueArray(id, { maxLength: 3 }),
    name: fc.constantFrom("one", "two", "three", "four"),
    ms: fc.constantFrom(10, 1_500, 5_000),
    steps: fc.uniqueArray(id, { maxLength: 2 }),
  });
  const provedBy = (tests: readonly ReportedTest[]) =>
    [...new Set(tests.flatMap(({ title, steps }) => [title, ...steps].flatMap(idsIn)))].sort();
  fc.assert(
    fc.property(fc.array(some, { maxLength: 12 }), (given) => {
      const tests = given.map(({ ids, name, ms, steps }) =>
        reported([...ids, name].join(" "), ms, { steps }),
      );
      const listed = new Set(findLongTests(tests).map(keyOf));
      expect(provedBy(tests.filter((each) => !listed.has(keyOf(each))))).toEqual(provedBy(tests));
    }),
  );
});

test.each([
  { round: 8, file: "a.journey.ts" },
  { round: 16, file: "a.worker.test.ts" },
  { round: 32, file: "a.test.ts" },
])(
  "$round turns in a row take each long test of $file once, and each turn takes about as long",
  ({ round, file }) => {
    vi.stubEnv("HOLDFAST_DEEP", "");
    const times = Array.from({ length: 8 * round }, (_, at) => 500 + ((at * 7_919) % 9_000));
    const list = findLongTests(times.map((ms, at) => reported(`${at}`, ms, { file }))).map((each) => ({
      ...each,
      hash: SOURCES,
    }));
    const msOf = (title: string) => times[Number(title)]!;
    const taken = Array.from({ length: round }, (_, at) => {
      const waiting = new Set(titlesOf(pickWaiting(list, unchanged, 7 + at)));
      return titlesOf(list).filter((title) => !waiting.has(title));
    });
    expect(taken.flat().sort()).toEqual(titlesOf(list).sort());
    const sums = taken.map((titles) => titles.reduce((sum, title) => sum + msOf(title), 0));
    expect(Math.max(...sums)).toBeLessThan(1.2 * Math.min(...sums));
  },
);

test("at the turns of a test its sweep takes every case", () => {
  vi.stubEnv("HOLDFAST_DEEP", "");
  const seeds = Array.from({ length: 10_000 }, (_, at) => (at * 2_654_435_761) % 2 ** 28);
  for (const cases of [2, 3, 4, 8, 12]) {
    const met = new Set(seeds.map((seed) => `turn ${turnOf(seed) % 32}, case ${seed % cases}`));
    expect([cases, met.size]).toEqual([cases, 32 * cases]);
  }
});

test("a test whose sources have changed never waits", () => {
  vi.stubEnv("HOLDFAST_DEEP", "");
  const list = ["0", "1", "2"].flatMap((title, turn) => [
    listed(title, { turn }),
    listed(title, { turn, file: "b.test.ts" }),
  ]);
  const waiting = pickWaiting(list, (file) => (file === "a.test.ts" ? "changed" : SOURCES), 0);
  expect(waiting).toEqual(["1", "2"].map((title) => ({ title, file: "b.test.ts" })));
});

test("a changed test that passed may wait again, and one that did not run is still due", () => {
  vi.stubEnv("HOLDFAST_DEEP", "");
  const list = ["1", "2"].map((title) => listed(title, { turn: 1, hash: "older" }));
  expect(pickWaiting(list, unchanged, 0)).toEqual([]);
  const recorded = withPassed(list, new Set(list.slice(1).map(keyOf)), unchanged);
  expect(titlesOf(pickWaiting(recorded, unchanged, 0))).toEqual(["2"]);
});

test("the journeys of the planted platform take their turn together", () => {
  const all = ["one", "two", "three"].map((name, at) =>
    reported(name, 1_000 + 9_000 * at, { file: `tests/sixth-platform/${name}.journey.ts` }),
  );
  expect(findLongTests(all).map(({ turn }) => turn)).toEqual([0, 0, 0]);
  // They start a product of their own, so others take that turn only when its time is used up.
  const others = [1, 2, 3, 4].map((name) => reported(`${name}`, 50_000, { file: "a.journey.ts" }));
  const turns = findLongTests([...all, ...others]).filter(({ file }) => file === "a.journey.ts");
  expect(turns.map(({ turn }) => turn)).toEqual([1, 2, 3, 4]);
});

test("a deep run makes nothing wait", () => {
  vi.stubEnv("HOLDFAST_DEEP", "1");
  expect(pickWaiting([listed("1")], unchanged, 1)).toEqual([]);
});

test("the list is read as it was written, and a broken line is reported", () => {
  const list = [listed("[P-002] “names”, in any script", { turn: 3 })];
  expect(readLongTests(renderLongTests(list))).toEqual(list);
  expect(readLongTests("")).toEqual([]);
  for (const line of ["a.test.ts\tno title", "a.test.ts\tabc\tsoon\ttitle", "a.test.ts\tabc\t3\t"])
    expect(() => readLongTests(`${line}\n`)).toThrow("of another form");
});

test("the hash of sources depends on every text, and not on their order", () => {
  expect(hashOfTexts(["a", "b"])).toBe(hashOfTexts(["b", "a"]));
  expect(hashOfTexts(["a", "b"])).not.toBe(hashOfTexts(["a", "c"]));
  expect(hashOfTexts(["ab"])).not.toBe(hashOfTexts(["a", "b"]));
});
