/**
 * Runs before every test file, in Node and in workerd. Activates the mutant in the file's `?mutant=` query and reports
 * which places of the woven sources the tests reach.
 */
import { afterEach, beforeEach, expect, inject } from "vitest";
import type { SWITCH } from "./weave.ts";

const [file, mutant] = (expect.getState().testPath ?? "").split("?mutant=") as [string, string?];
const isTrial = mutant !== undefined;
const activeId = Number(mutant);
const maxCalls = inject("maxCallsByFile")[file] ?? Number.POSITIVE_INFINITY;
const reached = new Set<number>();
let calls = 0;
let hasFailed = false;

function isOn(id: number): boolean {
  calls += 1;
  if (!isTrial) reached.add(id);
  // A mutant can make a loop endless, which blocks the thread, so that no timeout can interrupt it.
  if (isTrial && calls > maxCalls) throw new Error("a mutant made a loop endless");
  return id === activeId;
}

Object.assign(globalThis, { mutantIsOn: isOn } satisfies Record<typeof SWITCH, unknown>);

beforeEach(({ skip }) => {
  if (isTrial && hasFailed) skip("one failed test is enough");
});

afterEach(({ task }) => {
  hasFailed ||= task.result?.state === "fail";
  task.meta.mutants = { reached: [...reached], calls };
});

declare module "vitest" {
  export interface ProvidedContext {
    /** The most calls a test file may make to the switch before it counts as an endless loop. */
    maxCallsByFile: Record<string, number>;
  }
  interface TaskMeta {
    /** The woven places that this file has reached by the end of this test. */
    mutants?: { reached: number[]; calls: number };
  }
}
