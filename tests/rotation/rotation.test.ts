import fc from "fast-check";
import { expect, test, vi } from "vitest";
import type { ReportedTest } from "#tests/harness/test-reports.ts";
import { idsIn } from "#tests/spec/render-coverage.ts";
import {
  findLongTests,
  hashOfTexts,
  keyOf,
  pickWaiting,
  readLongTests,
  renderLongTests,
  turnOf,
} from "./rotation.ts";

const reported = (title: string, ms: number, more: Partial<ReportedTest> = {}): ReportedTest => ({
  ...{ title, ms, file: "a.test.ts", outcome: "passed", steps: [], failures: [] },
  ...more,
});
const titlesOf = (tests: readonly { title: string }[]) => tests.map(({ title }) => title);
const SOURCES = "0123456789ab";
const unchanged = () => SOURCES;

test("long tests are listed unless a requirement has no other test, the longest first", () => {
  const tests = [
    reported("short", 999),
    reported("long", 1_000),
    reported("[P-001] alone", 9_000),
    reported("[P-002] longer", 9_000),
    reported("[P-002] long", 8_000),
    reported("by its step", 9_000, { steps: ["[P-003] only here"] }),
    reported("every world", 9_000, { file: "tests/simulation/simulation.test.ts" }),
  ];
  expect(titlesOf(findLongTests(tests))).toEqual(["[P-002] longer", "long"]);
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

test("four turns in a row take each long test once, and each takes about as many", () => {
  vi.stubEnv("HOLDFAST_DEEP", "");
  const list = Array.from({ length: 10 }, (_, at) => ({ file: "a.test.ts", title: `${at}`, hash: SOURCES }));
  const taken = [7, 8, 9, 10].map((now) => {
    const waiting = new Set(titlesOf(pickWaiting(list, unchanged, now)));
    return titlesOf(list).filter((title) => !waiting.has(title));
  });
  expect(taken.flat().sort()).toEqual(titlesOf(list));
  for (const { length } of taken) expect([2, 3]).toContain(length);
});

test("at the turns of a test its sweep takes every case", () => {
  vi.stubEnv("HOLDFAST_DEEP", "");
  const seeds = Array.from({ length: 2_000 }, (_, at) => (at * 2_654_435_761) % 2 ** 28);
  for (const cases of [2, 3, 4, 8, 12]) {
    const met = new Set(seeds.map((seed) => `turn ${turnOf(seed) % 4}, case ${seed % cases}`));
    expect([cases, met.size]).toEqual([cases, 4 * cases]);
  }
});

test("a test whose sources have changed never waits", () => {
  vi.stubEnv("HOLDFAST_DEEP", "");
  const list = [
    ...["0", "1", "2", "3"].map((title) => ({ file: "a.test.ts", title, hash: SOURCES })),
    ...["4", "5", "6", "7"].map((title) => ({ file: "b.test.ts", title, hash: SOURCES })),
  ];
  const waiting = pickWaiting(list, (file) => (file === "a.test.ts" ? "changed" : SOURCES), 0);
  expect(titlesOf(waiting)).toEqual(["5", "6", "7"]);
});

test("the journeys of the planted platform take their turn together", () => {
  vi.stubEnv("HOLDFAST_DEEP", "");
  const folder = "tests/sixth-platform";
  const list = ["one", "two", "three"].map((name) => ({
    ...{ file: `${folder}/${name}.journey.ts`, title: name, hash: SOURCES },
  }));
  expect([0, 1, 2, 3].map((now) => pickWaiting(list, unchanged, now).length)).toEqual([0, 3, 3, 3]);
});

test("a deep run makes nothing wait", () => {
  vi.stubEnv("HOLDFAST_DEEP", "1");
  expect(pickWaiting([{ file: "a.test.ts", title: "1", hash: SOURCES }], unchanged, 1)).toEqual([]);
});

test("the list is read as it was written, and a broken line is reported", () => {
  const list = [{ file: "a.test.ts", title: "[P-002] “names”, in any script", hash: SOURCES }];
  expect(readLongTests(renderLongTests(list))).toEqual(list);
  expect(readLongTests("")).toEqual([]);
  expect(() => readLongTests("a.test.ts\tno title\n")).toThrow("without a title");
});

test("the hash of sources depends on every text, and not on their order", () => {
  expect(hashOfTexts(["a", "b"])).toBe(hashOfTexts(["b", "a"]));
  expect(hashOfTexts(["a", "b"])).not.toBe(hashOfTexts(["a", "c"]));
  expect(hashOfTexts(["ab"])).not.toBe(hashOfTexts(["a", "b"]));
});
