import { env } from "cloudflare:workers";
import { verifySnapshot } from "#core/vault/index.ts";
import { openVault } from "#core/versions/index.ts";
import { findListedManifest } from "#core/versions/registry.store.ts";
import type { FlowWorld } from "./flow-world.ts";

type ObjectRow = { id: string; key: string; status: string; stored_bytes: number };

/** Versions that a deep check found intact, per world. Each text holds the manifest and the bytes' etags. */
const foundWhole = new WeakMap<FlowWorld, Set<string>>();

/**
 * Looks for broken invariants: a version whose bytes are incomplete (I1), bytes missing from the ledger (R10), an item
 * locked without a run (I6). Returns one sentence per fault. A deep check also reads the bytes, except for versions
 * that were intact and whose manifest and objects have not changed since.
 */
export async function findFaults(world: FlowWorld, options: { isDeep?: boolean } = {}): Promise<string[]> {
  const faults: string[] = [];
  const objects = new Map(
    (await world.rows<ObjectRow>("SELECT id, key, status, stored_bytes FROM object")).map((row) => [
      row.id,
      row,
    ]),
  );
  const present = await listObjects(env[`VAULT_${world.region}`]);
  const whole = foundWhole.get(world) ?? new Set();
  foundWhole.set(world, whole);
  const manifests = await world.rows<{ item_id: string; manifest_id: string; organisation_id: string }>(
    `SELECT DISTINCT item_id, manifest_id, organisation_id FROM snapshot
     UNION SELECT item_id, manifest_id, organisation_id FROM export WHERE status IN ('pending', 'ready')`,
  );
  for (const { item_id: itemId, manifest_id: manifestId, organisation_id: organisationId } of manifests) {
    const found = await findListedManifest(world.services.ledger(world.region), organisationId, {
      itemId,
      manifestId,
    });
    if (!found) {
      faults.push(`manifest ${manifestId} of a visible version is missing`);
      continue;
    }
    const looked: unknown[] = [organisationId, itemId, found];
    for (const id of new Set([...found.objects, found.root.object])) {
      const row = objects.get(id);
      looked.push(row, present.get(row?.key ?? "")?.etag);
      if (row?.status !== "stored")
        faults.push(`object ${id} of a visible version is ${row?.status ?? "unknown"}`);
      else if (!present.has(row.key)) faults.push(`bytes of ${id} of a visible version are missing`);
      else if (present.get(row.key)?.size !== row.stored_bytes)
        faults.push(`bytes of ${id} have another length`);
    }
    const look = JSON.stringify(looked);
    if (options.isDeep === false || faults.length > 0 || whole.has(look)) continue;
    const vault = await openVault(world.services, { organisationId, region: world.region });
    const scope = { organisationId, itemId };
    for await (const event of verifySnapshot(vault, { scope, manifest: found, cursor: null })) {
      if (event.type === "problem") faults.push(`${event.path}: ${event.message}`);
    }
    if (faults.length === 0) whole.add(look);
  }
  for (const row of await world.rows<{ layout_object_id: string | null }>(
    "SELECT layout_object_id FROM export WHERE status = 'ready'",
  )) {
    const layout = objects.get(row.layout_object_id ?? "");
    if (!layout || !present.has(layout.key)) faults.push("the layout of a live export is missing");
  }
  const known = new Set([...objects.values()].map(({ key }) => key));
  for (const key of present.keys())
    if (!known.has(key) && !key.startsWith("erased/")) faults.push(`bytes at ${key} are known to nobody`);
  return faults;
}

/** Every object of a bucket by key. The etag changes when the bytes change. */
async function listObjects(bucket: R2Bucket): Promise<Map<string, R2Object>> {
  const objects = new Map<string, R2Object>();
  for (let cursor: string | undefined; ; ) {
    const page: R2Objects = await bucket.list(cursor === undefined ? {} : { cursor });
    for (const object of page.objects) objects.set(object.key, object);
    if (!page.truncated) return objects;
    cursor = page.cursor;
  }
}

/** Runs and locks left over once everything has ended, one sentence each. */
export async function findUnfinished(world: FlowWorld): Promise<string[]> {
  const runs = await world.rows<{ id: string; kind: string }>(
    "SELECT id, kind FROM run WHERE status IN ('queued', 'running')",
  );
  const locks = await world.rows<{ id: string }>(
    `SELECT id FROM item WHERE active_run_id IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM run WHERE run.id = item.active_run_id AND status IN ('queued', 'running'))`,
  );
  const odd = await world.rows<{ id: string }>(
    "SELECT id FROM run WHERE (status IN ('queued', 'running')) <> (finished_at IS NULL)",
  );
  return [
    ...odd.map(({ id }) => `run ${id} is open by its status or by its end, and not by both`),
    ...runs.map(({ id, kind }) => `${kind} ${id} has not ended`),
    ...locks.map(({ id }) => `${id} is locked by nobody`),
  ];
}
