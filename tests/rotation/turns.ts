import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { importsOf } from "#tests/harness/import-graph.ts";
import type { ReportedTest } from "#tests/harness/test-reports.ts";
import { ROOT } from "#workers/commands/tools.ts";
import {
  findLongTests,
  hashOfTexts,
  isInNode,
  isInWorkerd,
  keyOf,
  pickWaiting,
  readLongTests,
  renderLongTests,
  sharesTurn,
  type TestName,
  turnOf,
  withPassed,
} from "./rotation.ts";

const LIST = join(ROOT, "tests/rotation/long-tests.tsv");
/** The tests of a file with this sentence depend on each other, so none of them waits. */
const SEQUENTIAL = "Each test continues where the one before it ended.";

const readList = () => readLongTests(readFileSync(LIST, "utf8"));

/** The tests whose turn it is not in a run of this seed. */
export function waitingTests(seed: number): TestName[] {
  return pickWaiting(readList(), hashOfSources, turnOf(seed));
}

/** Records that listed tests passed with the sources of this run. */
export function recordPassed(tests: readonly ReportedTest[]): void {
  const passed = tests.filter(({ outcome }) => outcome === "passed");
  writeFileSync(LIST, renderLongTests(withPassed(readList(), new Set(passed.map(keyOf)), hashOfSources)));
}

/** Lists the long tests of a run of all. @returns how many there are */
export function listLongTests(tests: readonly ReportedTest[]): number {
  const isSequential = (file: string) => textOf(file).includes(SEQUENTIAL);
  const list = findLongTests(tests, isSequential).map((test) => ({
    ...test,
    hash: hashOfSources(test.file),
  }));
  writeFileSync(LIST, renderLongTests(list));
  return list.length;
}

const hashes = new Map<string, string>();

function hashOfSources(file: string): string {
  const hash = hashes.get(file) ?? hashOfTexts(sourcesOf(file).map(textOf));
  hashes.set(file, hash);
  return hash;
}

/**
 * A unit test loads what it tests, so its sources are all that it imports, and the packages. Tests in workerd and journeys
 * have the whole product, which nearly every commit changes. So the former have what they name themselves of the product,
 * and journeys their own file, those of the planted platform its folder.
 */
function sourcesOf(file: string): string[] {
  const loaded = [...importsOf(file)];
  if (isInNode(file)) return [...loaded.map(([each]) => each), "package-lock.json"];
  if (isInWorkerd(file)) {
    const isNamed = ([each, distance]: [string, number]) => distance === 1 && !/^(build|tests)\//.test(each);
    return [file, ...loaded.filter(isNamed).map(([each]) => each)];
  }
  return sharesTurn(file) ? filesIn(dirname(file)) : [file];
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}

function textOf(file: string): string {
  const path = join(ROOT, file);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}
