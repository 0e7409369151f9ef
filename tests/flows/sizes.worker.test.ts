import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { dispatchDue } from "#core/backups/index.ts";
import { OBJECTS_PER_VERSION } from "#core/backups/limits.ts";
import { publishVersion } from "#core/backups/publish-version.ts";
import { numberOf } from "#core/database/ledger/index.ts";
import type { ItemView } from "#core/inventory/index.ts";
import { addItems } from "#core/inventory/index.ts";
import { createRuns, type RunSlice, runSlice } from "#core/runs/index.ts";
import { checkAgain, expire, prune } from "#core/upkeep/index.ts";
import { findListedManifest } from "#core/versions/index.ts";
import { findRun, listSnapshots } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, KIND, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";

/** The largest values, under the platform's limits. */

let world: FlowWorld;
let item: ItemView;
beforeEach(async () => {
  world = await openFlowWorld();
  item = await world.protect("plans", "tiny");
  await world.drain();
});
afterEach(() => world.close());

const NUMBERS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)";

test("ticks handle thousands of due items within an invocation's queries and queue each once", async () => {
  await world.rows(
    `${NUMBERS} INSERT INTO schedule (item_id, due_at, period_ms, organisation_id, connection_id, platform)
     SELECT printf('itm_%024d', i), ?2, period_ms, organisation_id, connection_id, platform
     FROM n, schedule WHERE item_id = ?3`,
    3_000,
    world.clock.now(),
    item.id,
  );
  let queuedByLooks = 0;
  for (let hasMore = true; hasMore; ) {
    const look = await world.tick(dispatchDue);
    queuedByLooks += look.done;
    hasMore = look.hasMore;
  }
  expect(queuedByLooks).toBe(3_000);
  expect(world.queue.letters).toHaveLength(3_000);
  const [queued] = await world.rows<{ count: number }>(
    "SELECT count(DISTINCT item_id) AS count FROM run WHERE status = 'queued'",
  );
  expect(queued?.count).toBe(3_000);
});

test("a watch expires and prunes tens of thousands within the queries of one invocation", async () => {
  await world.rows(
    `${NUMBERS} INSERT INTO snapshot (id, organisation_id, item_id, run_id, taken_at, manifest_id, size_bytes,
       new_bytes, verify_state, expires_at)
     SELECT printf('snp_%024d', i), organisation_id, item_id, printf('run_%024d', i), i, manifest_id, 1, 1, 'verified', 1
     FROM n, snapshot`,
    30_000,
  );
  await world.rows(
    `${NUMBERS} INSERT INTO object_row (id, item, run_id, kind, status, created_at, marked_at)
     SELECT printf('obj_%024d', i), ${numberOf("?2")}, 'run_gone', 'pack', 'stored', 1, 1 FROM n`,
    30_000,
    item.id,
  );
  for (const look of [expire, prune, checkAgain]) while ((await world.tick(look)).hasMore);
  const count = async (table: string) =>
    (await world.rows<{ left: number }>(`SELECT count(*) AS left FROM ${table} WHERE id LIKE '%_000%'`))[0]
      ?.left;
  expect([await count("snapshot"), await count("object")]).toEqual([0, 0]);
  expect(await listSnapshots(world, item.id)).toHaveLength(1);
});

const objectId = (at: number) => `obj_${String(at).padStart(24, "0")}`;

/** Stores `count` objects of a run. */
async function storeObjects(runId: string, count: number): Promise<void> {
  await world.rows(
    `${NUMBERS} INSERT INTO object_row (id, item, run_id, kind, status, created_at)
     SELECT printf('obj_%024d', i), ${numberOf("?2")}, ?3, 'stream', 'stored', 1 FROM n`,
    count,
    item.id,
    runId,
  );
}

/** A backup whose draft needs `count` objects. */
async function backUpWithObjects(runId: string, count: number): Promise<void> {
  const { services, region, member, clock } = world;
  const ledger = services.ledger(region);
  const run = { organisationId: member.organisationId, connectionId: item.connectionId, itemId: item.id };
  const of = { platform: PLATFORM, kind: "backup", trigger: "user", order: null } as const;
  await createRuns(ledger, [{ id: runId, ...run, ...of, snapshotId: null, createdBy: null }], clock.now());
  const publish = async (slice: RunSlice) => {
    await publishVersion(services, slice, {
      snapshotId: `snp_${count}`,
      committedAt: clock.now(),
      expiresAt: clock.now() + 1,
      draft: {
        manifest: {
          id: `man_${count}`,
          root: { object: objectId(1), offset: 0, length: 1, method: 0, hash: "hash" },
          entryCount: count,
          sizeBytes: count,
          objects: Array.from({ length: count }, (_, at) => objectId(at + 1)),
        },
        completeness: {
          ...{ counts: {}, reported: {}, skippedCount: 1, apiVersion: "1", account: "nora" },
          skipped: [{ path: "x".repeat(400_000), kind: "file", reason: "It is away." }],
        },
        previous: null,
        unchanged: false,
        newBytes: 1,
      },
      item: { ...item, description: "d".repeat(3_000_000), details: {} },
      verifyRunId: `run_verify_${count}`,
      copyTo: null,
      bytesRead: 1,
    });
  };
  await world.limits.invocation(() =>
    runSlice(services, { region, runId, epoch: 0 }, { job: "back-up-item", locks: "backup" }, publish),
  );
}

test("a version with the maximum number of objects is stored and read", async () => {
  const runId = "run_most";
  await storeObjects(runId, OBJECTS_PER_VERSION);
  await backUpWithObjects(runId, OBJECTS_PER_VERSION);
  expect(await findRun(world, runId)).toMatchObject({ status: "succeeded", error_text: null });
  const { services, region, member } = world;
  const key = { itemId: item.id, manifestId: `man_${OBJECTS_PER_VERSION}` };
  const found = await findListedManifest(services.ledger(region), member.organisationId, key);
  expect(found?.objects).toHaveLength(OBJECTS_PER_VERSION);
  // The version keeps the whole description; the list keeps its beginning.
  const [row] = await world.rows<{ length: number }>("SELECT length(description) AS length FROM item");
  expect(row?.length).toBe(1_000);
});

test("a version with more objects fails at once with a sentence, and the item keeps its older ones", async () => {
  const before = await listSnapshots(world, item.id);
  const runId = "run_more";
  await backUpWithObjects(runId, OBJECTS_PER_VERSION + 1);
  expect(await findRun(world, runId)).toMatchObject({
    status: "failed",
    error_code: "err.version.too.large",
    error_text:
      "This version would need 200,001 files in the vault, and 200,000 is the most that one can have. The item's earlier versions are kept.",
  });
  expect(await listSnapshots(world, item.id)).toEqual(before);
  expect(world.queue.letters).toEqual([]);
});

test("a call adds the maximum number of items, whatever their names", async () => {
  const name = "r".repeat(90);
  const externals: { externalId: string }[] = [];
  for (let count = 0; count < 450; count++) {
    const { externalId } = await world.outside.createRepository(`${name}-${count}`, "empty");
    externals.push({ externalId });
  }
  const order = { platform: PLATFORM, kind: KIND, placeId: item.placeId!, externals };
  const { added } = await world.limits.invocation(() => addItems(world.services, world.member, order));
  expect(added).toHaveLength(450);
  const [audited] = await env.DB.prepare(
    "SELECT count(*) AS count FROM audit_entry WHERE action = 'add-item'",
  )
    .all<{ count: number }>()
    .then(({ results }) => results);
  expect(audited?.count).toBe(451);
});
