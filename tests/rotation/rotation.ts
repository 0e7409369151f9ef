/**
 * Long tests take turns: a normal run takes a part of them, another with each commit. A test can wait for its turn only if
 * other tests prove its requirements, and only while its sources are as they were when it was listed.
 * `npm test -- --all` takes all of them.
 */

import { createHash } from "node:crypto";
import { isSampled } from "#tests/harness/sample.ts";
import type { ReportedTest } from "#tests/harness/test-reports.ts";
import { idsIn } from "#tests/spec/render-coverage.ts";

/** A test by its file and title. Tests of one title in one file take their turn together. */
export type TestName = { file: string; title: string };

/** A test that takes turns, and the hash of its sources when it was listed. */
export type LongTest = TestName & { hash: string };

/** From how long a test takes turns, measured beside the other suites. */
const LONG_MS = 1_000;
/** A run takes one test in so many. */
const TURNS = 4;
/** These never wait, because whole worlds find what nobody thought of. */
const NEVER_WAITING = "tests/simulation/simulation.test.ts";
/** Journeys of this folder have a product of their own, which costs more than they do, so they share a turn. */
const SHARED_TURN = "tests/sixth-platform/";

/**
 * The turn of a run. It comes from other bits of the seed than the samples of sweeps: otherwise a test whose sweep takes
 * one case of four would take the same case at each of its turns.
 */
export const turnOf = (seed: number) => seed >>> 16;

/** Whether a file's tests share a turn. */
export const sharesTurn = (file: string) => file.startsWith(SHARED_TURN) && file.endsWith(".journey.ts");

/** The key of a test in a set. */
export const keyOf = ({ file, title }: TestName) => `${file}\t${title}`;

/**
 * The long tests of a run that proves nothing less without them: the longest first, those whose requirements all have
 * another test that always runs.
 */
export function findLongTests(tests: readonly ReportedTest[]): TestName[] {
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
    .filter(({ name, ms }) => ms >= LONG_MS && name.file !== NEVER_WAITING)
    .sort((a, b) => b.ms - a.ms);
  const found = long.filter(({ ids }) => {
    for (const id of ids) add(id, -1);
    const canWait = ids.every((id) => provers.get(id)! > 0);
    if (!canWait) for (const id of ids) add(id, 1);
    return canWait;
  });
  return found.map(({ name }) => name).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

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
  const turns = new Map<string, number>();
  const waiting: TestName[] = [];
  for (const { file, title, hash } of list) {
    const key = sharesTurn(file) ? SHARED_TURN : keyOf({ file, title });
    const turn = turns.get(key) ?? turns.size;
    turns.set(key, turn);
    if (!isSampled(turn, TURNS, now) && hashOf(file) === hash) waiting.push({ file, title });
  }
  return waiting;
}

/** The list as a page of tab-separated lines: file, hash, title. */
export function renderLongTests(list: readonly LongTest[]): string {
  return list.map(({ file, hash, title }) => `${file}\t${hash}\t${title}\n`).join("");
}

/** Reads a page that `renderLongTests` wrote. @throws Error when a line has fewer than three parts */
export function readLongTests(page: string): LongTest[] {
  return page
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [file, hash, title] = line.split("\t");
      if (!file || !hash || !title)
        throw new Error(`The list of long tests has a line without a title: ${line}`);
      return { file, hash, title };
    });
}

/** The hash of some files' contents, in any order. */
export function hashOfTexts(texts: readonly string[]): string {
  const hashes = texts.map((text) => createHash("sha256").update(text).digest("hex"));
  return createHash("sha256").update(hashes.sort().join("")).digest("hex").slice(0, 12);
}
