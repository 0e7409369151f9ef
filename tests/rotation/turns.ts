import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { importsOf } from "#tests/harness/import-graph.ts";
import type { ReportedTest } from "#tests/harness/test-reports.ts";
import { ROOT } from "#workers/commands/tools.ts";
import {
  findLongTests,
  hashOfTexts,
  keyOf,
  pickWaiting,
  readLongTests,
  renderLongTests,
  sharesTurn,
  type TestName,
  turnOf,
} from "./rotation.ts";

const LIST = join(ROOT, "tests/rotation/long-tests.tsv");
/** A file that says this is a story told by its tests, so none of them waits. */
const STORY = "Each test continues where the one before it ended.";
/** What waits in the current run. */
const WAITING = join(ROOT, "tests/.output/waiting.tsv");

/** The tests whose turn it is not in a run of this seed. */
export function waitingTests(seed: number): TestName[] {
  return pickWaiting(readLongTests(readFileSync(LIST, "utf8")), hashOfSources, turnOf(seed));
}

/** Lists the long tests of a run of all. @returns how many there are */
export function listLongTests(tests: readonly ReportedTest[]): number {
  const list = findLongTests(tests)
    .filter(({ file }) => !textOf(file).includes(STORY))
    .map((name) => ({ ...name, hash: hashOfSources(name.file) }));
  writeFileSync(LIST, renderLongTests(list));
  return list.length;
}

/** Makes these tests wait in every tool that `npm test` starts from now on. */
export function announceWaiting(tests: readonly TestName[]): void {
  writeFileSync(WAITING, tests.map(keyOf).join("\n"));
  process.env.HOLDFAST_TURNS = "1";
}

/** Keys of the tests that must not run now. None when somebody runs tests without `npm test`. */
export function readWaiting(): ReadonlySet<string> {
  return process.env.HOLDFAST_TURNS === "1" ? waitedLast() : new Set();
}

/** Keys of the tests that waited in the last run of `npm test`. */
export function waitedLast(): ReadonlySet<string> {
  const page = existsSync(WAITING) ? readFileSync(WAITING, "utf8") : "";
  return new Set(page === "" ? [] : page.split("\n"));
}

/** What `rotating-runner.ts` reads, which has no file system in workerd. */
export const providedWaiting = () => ({ root: ROOT, keys: [...readWaiting()] });

/** Patterns of the journeys that must not run now, as Playwright compares them: with file and title at the end. */
export function waitingTitles(): RegExp[] {
  return [...readWaiting()]
    .filter((key) => key.includes(".journey.ts\t"))
    .map((key) => key.split("\t"))
    .map(([file = "", title = ""]) => [basename(file), title].map(literally).join(" (?:.* )?"))
    .map((pattern) => new RegExp(`(?:^| )${pattern}$`));
}

const literally = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

const hashes = new Map<string, string>();

/**
 * A unit test loads what it tests, so its sources are all that it imports. Journeys and tests in workerd have the whole
 * product, which nearly every commit changes, so theirs are their own file, and those of the planted platform its folder.
 */
function hashOfSources(file: string): string {
  const isUnit = /(?<!\.worker)\.test\.tsx?$/.test(file);
  const sources = isUnit ? [...importsOf(file).keys()] : sharesTurn(file) ? filesIn(dirname(file)) : [file];
  const hash = hashes.get(file) ?? hashOfTexts(sources.map(textOf));
  hashes.set(file, hash);
  return hash;
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
