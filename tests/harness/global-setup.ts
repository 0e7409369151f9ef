import type { TestProject } from "vitest/node";
import { startOutsideServer } from "./outside-server.ts";
import { recordRuntimeLog } from "./runtime-log.ts";

/**
 * Runs once in Node before the tests in workerd. Starts the server for what only Node can do and provides its address.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const runtimeLog = recordRuntimeLog();
  const outside = await startOutsideServer(runtimeLog);
  project.provide("outsideUrl", outside.url);
  return async () => {
    await outside.stop();
    runtimeLog.stop();
  };
}

declare module "vitest" {
  export interface ProvidedContext {
    /** Base address of `tests/harness/outside-server.ts`. */
    outsideUrl: string;
  }
}
