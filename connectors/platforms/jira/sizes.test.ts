import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import { isDeep } from "#tests/harness/sample.ts";
import { connector } from "./connector.ts";
import { pointsUsed } from "./simulator/limits.ts";
import { openJiraWorld } from "./test-world.ts";

/** 50,000 issues need nine minutes. */
const PATIENCE_MS = isDeep() ? 1_200_000 : 60_000;
/** How often the memory is read, in records. */
const RECORDS_A_READING = 5_000;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const heapNow = () => {
  collect();
  return process.memoryUsage().heapUsed;
};

/** Consumes a backup without keeping it. Returns the most memory that it held, in bytes, and the number of records. */
async function drain(events: AsyncIterable<BackupEvent>): Promise<{ held: number; records: number }> {
  const before = heapNow();
  let [records, held] = [0, 0];
  for await (const event of events) {
    if (event.type === "stream") await event.write({ write: () => undefined }, () => undefined);
    if (event.type === "record" && records++ % RECORDS_A_READING === 0)
      held = Math.max(held, heapNow() - before);
  }
  return { held: Math.max(held, heapNow() - before), records };
}

/** The calls, points and memory of a project's first backup. */
async function firstBackup(issues: number) {
  const world = await openJiraWorld();
  try {
    const { key, ...reference } = await world.makeProject("SIZE");
    await world.happen(`/sites/meridian/projects/${key}/generate`, { issues, comments: issues });
    let calls = 0;
    const forward = (url: string, init?: RequestInit) => {
      calls++;
      return fetch(url, init);
    };
    const session = await world.session();
    // The session's own list of requests would grow with the project.
    const by = {
      ...session,
      fetch: (url: string, init?: RequestInit) => forward(url, { ...init, redirect: "manual" }),
    };
    const item = await connector.getItem(by, { kind: "project", ...reference });
    const points = pointsUsed(world.simulator.world, null);
    calls = 0;
    const { held, records } = await drain(connector.backUp(by, { item, previous: null, cursor: null }));
    return { calls, held, records, points: pointsUsed(world.simulator.world, null) - points };
  } finally {
    await world.stop();
  }
}

test(
  "a first backup needs three calls an issue and little else, and as much memory for five times the issues",
  async () => {
    const [few, many] = isDeep() ? [10_000, 50_000] : [200, 1_000];
    const small = await firstBackup(few);
    const large = await firstBackup(many);
    if (isDeep()) console.log("first backup", { [few]: small, [many]: large });
    for (const [issues, { calls, records }] of [
      [few, small],
      [many, large],
    ] as const) {
      expect(records).toBeGreaterThan(3 * issues);
      // Watchers, web links and properties of each issue, its share of a page, and the list of ids.
      const grows = 3 * issues + Math.ceil(issues / 100) + Math.ceil(issues / 5_000);
      expect(calls).toBeLessThanOrEqual(1.05 * grows + 50);
    }
    // Below some megabytes the memory of the test itself decides.
    expect(large.held).toBeLessThanOrEqual(1.5 * Math.max(small.held, 8 * 1024 * 1024));
  },
  PATIENCE_MS,
);
