import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import type { RestoreJournal } from "#connectors/contract/platform-connector.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { testSession } from "#tests/conformance/test-session.ts";
import { isDeep } from "#tests/harness/sample.ts";
import { backUp } from "./backup/back-up.ts";
import { inventory } from "./inventory.ts";
import { restore } from "./restore/restore.ts";
import { type NotionTestWorld, openNotionWorld } from "./test-world.ts";

/** Blocks of the larger workspace: 100,000 with HOLDFAST_DEEP=1. */
const BLOCKS = isDeep() ? 100_000 : 10_000;
const BLOCKS_PER_PAGE = 10;
/**
 * What a backup may keep until its end, and what the runtime needs by itself. A page with its blocks has 20,000 bytes, so
 * a backup that kept them would need twice as much, and with all blocks twenty times.
 */
const MOST_BYTES = 8 * 1024 ** 2;
/** The part of the pages after which memory is measured first, when everything that a backup needs once is there. */
const EARLY = 0.2;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

function usedBytes(): number {
  collectGarbage();
  return getHeapStatistics().used_heap_size;
}

test("memory for a first backup does not grow with the blocks", async () => {
  const world = await openNotionWorld();
  try {
    const { id: rootId } = await world.happen("pages", { title: "Large" });
    const pages = BLOCKS / BLOCKS_PER_PAGE;
    await world.happen("generate", { rootId, pages, blocks: BLOCKS_PER_PAGE });
    const { config, connectionDetails } = world;
    const token = await world.issueToken();
    const session = testSession({
      ...{ config, token, accountName: "Nora", connectionDetails: connectionDetails ?? null },
    });
    const reference = { kind: "workspace", externalId: world.workspaceId, fullName: "" };
    const item = await inventory.getItem(session, reference);
    const [early, late] = [Math.round(pages * EARLY), pages];
    const used = { early: 0, late: 0 };
    let read = 0;
    for await (const event of backUp(session, { item, previous: null, cursor: null })) {
      if (event.type !== "record" || event.kind !== "page") continue;
      read += 1;
      if (read !== early && read !== late) continue;
      // What the test and the simulator noted of the requests is not the backup's.
      session.requests.length = 0;
      world.simulator.log.reset();
      used[read === early ? "early" : "late"] = usedBytes();
    }
    const growth = used.late - used.early;
    console.info(
      `${BLOCKS} blocks on ${pages} pages: ${Math.round(growth / 1024)} KiB more at the end than early on`,
    );
    expect(read).toBe(pages + 1);
    expect(growth).toBeLessThan(MOST_BYTES);
  } finally {
    await world.stop();
  }
}, 3_600_000);

/** What the thread of the simulated Notion says. */
type Away = Pick<NotionTestWorld, "config" | "accountName" | "connectionDetails" | "workspaceId"> & {
  rootId: string;
  url: string;
  token: string;
};

/** A journal on disk: in the product it lies in a database. */
function journalIn(folder: string): RestoreJournal {
  const placeOf = (key: string) => path.join(folder, createHash("sha256").update(key).digest("hex"));
  return {
    find: async (key) =>
      existsSync(placeOf(key)) ? (JSON.parse(readFileSync(placeOf(key), "utf8")) as Json) : null,
    record: async (key, value) => writeFileSync(placeOf(key), JSON.stringify(value)),
  };
}

test("memory for a restore does not grow with the pages", async () => {
  const thread = new Worker(new URL("./test-world-thread.ts", import.meta.url), {
    execArgv: ["--import", "tsx"],
  });
  const folder = mkdtempSync(path.join(tmpdir(), "notion-journal-"));
  try {
    const [away] = (await once(thread, "message")) as [Away];
    const pages = BLOCKS / BLOCKS_PER_PAGE;
    const order = { rootId: away.rootId, pages, blocks: BLOCKS_PER_PAGE };
    await fetch(`${away.url}/__sim/notion/generate`, { method: "POST", body: JSON.stringify(order) });
    const session = testSession({ ...away, connectionDetails: away.connectionDetails ?? null });
    const reference = { kind: "workspace", externalId: away.workspaceId, fullName: "" };
    const item = await inventory.getItem(session, reference);
    const snapshot = await takeSnapshot(backUp(session, { item, previous: null, cursor: null }));
    const [early, late] = [Math.round(pages * EARLY), pages];
    const used = { early: 0, late: 0 };
    const target = { kind: "new", name: "Large again", place: null } as const;
    const events = restore(session, snapshot, { target, part: null, answers: {} }, journalIn(folder));
    let done = 0;
    for await (const event of events) {
      if (event.type !== "progress" || event.progress.phase !== "Restoring content") continue;
      done = event.progress.done;
      if (done !== early && done !== late) continue;
      session.requests.length = 0;
      await fetch(`${away.url}/__sim/requests`, { method: "DELETE" });
      used[done === early ? "early" : "late"] = usedBytes();
    }
    const growth = used.late - used.early;
    console.info(`${pages} pages restored: ${Math.round(growth / 1024)} KiB more at the end than early on`);
    expect(done).toBe(pages + 1);
    expect(growth).toBeLessThan(MOST_BYTES);
  } finally {
    thread.postMessage("stop");
    await once(thread, "exit");
    rmSync(folder, { recursive: true });
  }
}, 3_600_000);
