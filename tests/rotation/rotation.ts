/**
 * Long tests take turns: a normal run takes a part of them, another with each commit. A test can wait for its turn only if
 * other tests prove its requirements, and only while its sources are as they were when it was listed.
 * `npm test -- --all` takes all of them.
 */

import { createHash } from "node:crypto";
import { isDeep } from "#tests/harness/sample.ts";
import type { ReportedTest } from "#tests/harness/test-reports.ts";
import { idsIn } from "#tests/spec/render-coverage.ts";

/** A test by its file and title. Tests of one title in one file take their turn together. */
export type TestName = { file: string; title: string };

/** A long test with its turn, from 0: it is in that run of every round. */
export type TurnOfTest = TestName & { turn: number };

/** A test that takes turns, and the hash of its sources when it was listed. */
export type LongTest = TurnOfTest & { hash: string };

/**
 * After so many runs, each with the next turn, every test of a suite has run. The more of what a test tries counts as its
 * sources, the longer it can wait: a test in Node would run on the same code again.
 */
const ROUNDS = { ".journey": 8, ".worker.test": 16, ".test": 32 };
/** From how long a test takes turns, measured beside the other suites. */
const LONG_MS = 300;
/** The same for tests in Node. */
const LONG_IN_NODE_MS = 200;
/** Its tests never wait, because whole worlds find what nobody thought of. */
export const WORLDS = "tests/simulation/simulation.test.ts";
/** Journeys of this folder have a product of their own, which costs more than they do, so they share the first turn. */
const SHARED_TURN = "tests/sixth-platform/";
/** About as much as the start of that product costs, in time of other journeys. */
const PRODUCT_MS = 60_000;

/**
 * The turn of a run. It comes from other bits of the seed than the samples of sweeps: otherwise a test whose sweep takes
 * one case of four would take the same case at each of its turns.
 */
export const turnOf = (seed: number) => seed >>> 16;

/** After how many runs a file's tests have run. */
const roundOf = (file: string) => ROUNDS[suiteOf(file)];

/** Whether a file's tests share a turn. */
export const sharesTurn = (file: string) => file.startsWith(SHARED_TURN) && file.endsWith(".journey.ts");

/** The key of a test in a set. */
export const keyOf = ({ file, title }: TestName) => `${file}\t${title}`;

/**
 * The long tests of a run that proves nothing less without them: the longest first, those whose requirements all have
 * another test that always runs.
 * @param isSequential Whether tests of a file depend on each other, so that none of them may wait.
 */
export function findLongTests(
  tests: readonly ReportedTest[],
  isSequential: (file: string) => boolean = () => false,
): TurnOfTest[] {
  const provers = new Map<string, number>();
  const add = (id: string, count: number) => provers.set(id, (provers.get(id) ?? 0) + count);
  const groups = new Map<string, { name: TestName; ms: number; ids: string[] }>();
  for (const { file, title, steps, ms } of tests) {
    const name = { file, title };
    const ids = [...new Set([title, ...steps].flatMap(idsIn))];
    for (const id of ids) add(id, 1);
    const group = groups.get(keyOf(name));
    groups.set(keyOf(name), {
      name,
      ms: Math.max(ms, group?.ms ?? 0),
      ids: [...(group?.ids ?? []), ...ids],
    });
  }
  const long = [...groups.values()]
    .filter(({ name, ms }) => isLong(name.file, ms))
    .filter(({ name }) => name.file !== WORLDS && !isSequential(name.file))
    .sort((a, b) => b.ms - a.ms);
  const found = long.filter(({ ids }) => {
    for (const id of ids) add(id, -1);
    const canWait = ids.every((id) => provers.get(id)! > 0);
    if (!canWait) for (const id of ids) add(id, 1);
    return canWait;
  });
  return dealTurns(found).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

const isLong = (file: string, ms: number) =>
  sharesTurn(file) || ms >= (isInNode(file) ? LONG_IN_NODE_MS : LONG_MS);

/** Whether a file's tests run in Node, and not in workerd or a browser. */
export const isInNode = (file: string) => suiteOf(file) === ".test";

/** Gives each test, the longest first, the turn in which tests of its suite take the least time so far. */
function dealTurns(tests: readonly { name: TestName; ms: number }[]): TurnOfTest[] {
  const loads = new Map<Suite, number[]>();
  const shared = tests.find(({ name }) => sharesTurn(name.file));
  if (shared)
    loads.set(
      suiteOf(shared.name.file),
      Array.from({ length: roundOf(shared.name.file) }, (_, turn) => (turn === 0 ? PRODUCT_MS : 0)),
    );
  return tests.map(({ name, ms }) => {
    const suite = suiteOf(name.file);
    const load = loads.get(suite) ?? Array.from({ length: roundOf(name.file) }, () => 0);
    loads.set(suite, load);
    const turn = sharesTurn(name.file) ? 0 : load.indexOf(Math.min(...load));
    load[turn]! += ms;
    return { ...name, turn };
  });
}

/** What runs beside other suites: journeys, tests in workerd, tests in Node. */
type Suite = keyof typeof ROUNDS;

function suiteOf(file: string): Suite {
  const suite = /(\.journey|\.worker\.test|\.test)\.tsx?$/.exec(file)?.[1];
  if (!suite) throw new Error(`${file} is in no suite`);
  return suite as Suite;
}

/** Whether a file's tests run in workerd. */
export const isInWorkerd = (file: string) => suiteOf(file) === ".worker.test";

/**
 * The tests whose turn it is not. A test whose sources have changed since it was listed always runs.
 * @param hashOf The hash of a test file's sources now.
 * @param now The turn of the run.
 */
export function pickWaiting(
  list: readonly LongTest[],
  hashOf: (file: string) => string,
  now: number,
): TestName[] {
  if (isDeep()) return [];
  const isWaiting = ({ file, hash, turn }: LongTest) => now % roundOf(file) !== turn && hashOf(file) === hash;
  return list.filter(isWaiting).map(({ file, title }) => ({ file, title }));
}

/** The list with the sources as they are now for tests that passed with them, which then may wait again. */
export function withPassed(
  list: readonly LongTest[],
  passed: ReadonlySet<string>,
  hashOf: (file: string) => string,
): LongTest[] {
  return list.map((test) => (passed.has(keyOf(test)) ? { ...test, hash: hashOf(test.file) } : test));
}

/** The list as a page of tab-separated lines: file, hash, turn, title. */
export function renderLongTests(list: readonly LongTest[]): string {
  return list.map(({ file, hash, turn, title }) => `${file}\t${hash}\t${turn}\t${title}\n`).join("");
}

/** Reads a page that `renderLongTests` wrote. @throws Error when a line is not like those it writes */
export function readLongTests(page: string): LongTest[] {
  return page
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [, file, hash, turn, title] = /^([^\t]+)\t(\w+)\t(\d+)\t(.+)$/.exec(line) ?? [];
      if (!file || !hash || !title)
        throw new Error(`The list of long tests has a line of another form: ${line}`);
      return { file, hash, title, turn: Number(turn) };
    });
}

/** The hash of some files' contents, in any order. */
export function hashOfTexts(texts: readonly string[]): string {
  const hashes = texts.map((text) => createHash("sha256").update(text).digest("hex"));
  return createHash("sha256").update(hashes.sort().join("")).digest("hex").slice(0, 12);
}
