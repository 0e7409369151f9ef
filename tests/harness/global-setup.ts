import type { TestProject } from "vitest/node";
import { startOutsideServer } from "./outside-server.ts";

/** Runs once in Node before the tests in workerd: starts what only Node can be, and tells the tests where it is. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const outside = await startOutsideServer();
  project.provide("outsideUrl", outside.url);
  return () => outside.stop();
}

declare module "vitest" {
  export interface ProvidedContext {
    /** Base address of `tests/harness/outside-server.ts`. */
    outsideUrl: string;
  }
}
