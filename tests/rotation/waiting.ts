import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "#workers/commands/tools.ts";
import { keyOf, type TestName } from "./rotation.ts";

/** What waits in the current run: `npm test` writes it, and the tools that run tests read it. */
const WAITING = join(ROOT, "tests/.output/waiting.tsv");

/** Makes these tests wait in every tool that `npm test` starts from now on. */
export function announceWaiting(tests: readonly TestName[]): void {
  writeFileSync(WAITING, tests.map(keyOf).join("\n"));
  process.env.HOLDFAST_TURNS = "1";
}

/** Whether `npm test` started this tool, and not somebody by hand. */
export const isWholeRun = () => process.env.HOLDFAST_TURNS === "1";

/** Keys of the tests that must not run now. None when somebody runs tests without `npm test`. */
export function readWaiting(): ReadonlySet<string> {
  return isWholeRun() ? waitedLast() : new Set();
}

/** Keys of the tests that waited in the last run of `npm test`. */
export function waitedLast(): ReadonlySet<string> {
  const page = existsSync(WAITING) ? readFileSync(WAITING, "utf8") : "";
  return new Set(page === "" ? [] : page.split("\n"));
}

/** What `rotating-runner.ts` reads, which has no file system in workerd. */
export const providedWaiting = () => ({ root: ROOT, keys: [...readWaiting()] });
