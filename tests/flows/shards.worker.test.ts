import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { requestBackup } from "#core/backups/index.ts";
import { openZipDownload, requestZip } from "#core/exports/index.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { connect, type FlowWorld, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { furtherLedger } from "#tests/harness/further-ledger.ts";
import { onTick } from "#workers/crons/index.ts";

let world: FlowWorld;
let second: D1Database;
beforeEach(async () => {
  second = await furtherLedger();
  world = await openFlowWorld({ isConnected: false, ledgers: { LEDGER_DE_2: second } });
  await env.DB.prepare("UPDATE organisation SET shards = ?")
    .bind(JSON.stringify({ DE: "DE_2" }))
    .run();
  await connect(world);
});
afterEach(() => world.close());

const inSecond = async (sql: string) => (await second.prepare(sql).all()).results;

/** Every table of the first ledger that has rows. */
async function filledOfFirst(): Promise<string[]> {
  const tables = await world.rows<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf*' AND name NOT GLOB 'sqlite*'",
  );
  const counts = await Promise.all(
    tables.map(async ({ name }) => ({ name, rows: await world.rows(`SELECT 1 FROM "${name}" LIMIT 1`) })),
  );
  return counts.filter(({ rows }) => rows.length > 0).map(({ name }) => name);
}

const openRuns = async () => inSecond("SELECT id FROM run WHERE status IN ('queued', 'running')");

test("an organisation in a region's second ledger is backed up, checked and downloaded there alone", async () => {
  const item = await world.protect("elsewhere", "tiny");
  await world.drain();
  const [version] = await inSecond("SELECT id, verify_state FROM snapshot");
  expect(version).toMatchObject({ verify_state: "verified" });
  expect(await openRuns()).toEqual([]);
  const order = { platform: PLATFORM, itemId: item.id, snapshotId: String(version!.id) };
  const zip = await requestZip(world.services, world.member, order);
  await world.drain();
  const ready = zip.kind === "ready" ? zip : await requestZip(world.services, world.member, order);
  if (ready.kind !== "ready") throw new Error("The ZIP was not built.");
  const { fileName } = await openZipDownload(world.services, ready.url.split("/").at(-1)!);
  expect(fileName).toMatch(/\.zip$/);
  expect(await filledOfFirst()).toEqual([]);
});

test("each ledger is tended by messages of its own: what is due in the second is done, and a lost run is found", async () => {
  const item = await world.protect("elsewhere", "tiny");
  await world.drain();
  world.clock.advance(2 * DAY_MS);
  await onTick(world.services, "* * * * *");
  await onTick(world.services, "17 * * * *");
  const places = world.queue.letters.flatMap(({ body }) =>
    body.job === "tend-ledger" ? [body.payload.shard ?? body.payload.region] : [],
  );
  expect(new Set(places)).toEqual(new Set(["US", "DE", "DE_2", "UK", "AP"]));
  expect(places).toHaveLength(50);
  await world.drain();
  expect(await inSecond("SELECT count(*) AS count FROM snapshot")).toEqual([{ count: 2 }]);

  world.clock.advance(2 * DAY_MS);
  await requestBackup(world.services, world.member, { platform: PLATFORM, itemId: item.id });
  // Every message is lost.
  world.queue.letters.splice(0);
  world.clock.advance(HOUR_MS);
  expect(await openRuns()).toHaveLength(1);
  await onTick(world.services, "* * * * *");
  await world.drain();
  expect(await openRuns()).toEqual([]);
  expect(await inSecond("SELECT count(*) AS count FROM snapshot")).toEqual([{ count: 3 }]);
  expect(await filledOfFirst()).toEqual([]);
});
