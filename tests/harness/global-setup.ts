import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import type { TestProject } from "vitest/node";
import type { OutsideWorld } from "./outside-server.ts";
import { recordRuntimeLog } from "./runtime-log.ts";

/**
 * Runs once in Node before the tests in workerd. Starts the server for what only Node can do and provides its address.
 * Most files need none of it, so the simulators load with the first request: that takes as long as a whole file.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const runtimeLog = recordRuntimeLog();
  let outside: Promise<OutsideWorld> | undefined;
  const open = async () => (await import("./outside-server.ts")).openOutsideWorld(runtimeLog);
  const fetch = async (request: Request) => {
    outside ??= open();
    return (await outside).fetch(request);
  };
  // Otherwise a test fails when it sends on an idle connection that the server is just closing.
  const serverOptions = { keepAliveTimeout: 0 };
  const server = serve({ fetch, port: 0, hostname: "127.0.0.1", serverOptions });
  if (!server.listening) await once(server, "listening");
  project.provide("outsideUrl", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    await (await outside)?.stop();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      if ("closeAllConnections" in server) server.closeAllConnections();
    });
    runtimeLog.stop();
  };
}

declare module "vitest" {
  export interface ProvidedContext {
    /** Base address of `tests/harness/outside-server.ts`. */
    outsideUrl: string;
  }
}
