import { env } from "cloudflare:workers";
import { type RebuildEvent, rebuildLedger } from "#core/recovery/index.ts";
import type { FlowWorld } from "./flow-world.ts";
import { listTables } from "./tables.ts";

/** Loses the ledger of the world's region: every row of every table. Messages under way are lost with it. */
export async function loseLedger(world: FlowWorld): Promise<void> {
  const database = env[`LEDGER_${world.region}`];
  const names = await listTables(database);
  await database.batch([
    database.prepare("PRAGMA defer_foreign_keys = ON"),
    ...names.map((name) => database.prepare(`DELETE FROM "${name}"`)),
    // Triggers of the first deletions have written into later tables.
    ...names.map((name) => database.prepare(`DELETE FROM "${name}"`)),
  ]);
  world.queue.letters.length = 0;
}

/** Rebuilds the ledger, and returns what happened. */
export async function rebuild(
  world: FlowWorld,
  { services = world.services, isAgain = false } = {},
): Promise<RebuildEvent[]> {
  const events: RebuildEvent[] = [];
  for await (const event of rebuildLedger(services, { region: world.region, isAgain })) events.push(event);
  return events;
}

/** The facts of a ledger that a rebuild must give back exactly. */
export async function ledgerFacts(world: FlowWorld) {
  const [manifests, needs, objects, items, places] = await Promise.all([
    world.rows(
      `SELECT item_id, id, organisation_id, root_hash, entry_count, size_bytes, completeness FROM manifest
       WHERE EXISTS (SELECT 1 FROM snapshot WHERE item_id = manifest.item_id AND manifest_id = manifest.id)
       ORDER BY item_id, id`,
    ),
    world.rows(
      `SELECT item_id, manifest_id, object_id FROM manifest_object
       WHERE EXISTS (SELECT 1 FROM snapshot WHERE item_id = manifest_object.item_id
         AND manifest_id = manifest_object.manifest_id) ORDER BY 1, 2, 3`,
    ),
    world.rows(
      `SELECT id, organisation_id, item_id, kind, key, status, size_bytes, stored_bytes, crc32 * (kind = 'stream') AS crc32,
         CASE kind WHEN 'stream' THEN hash END AS hash, manifest_id FROM object
       WHERE id IN (SELECT object_id FROM manifest_object) OR kind = 'state' AND manifest_id IS NOT NULL ORDER BY id`,
    ),
    world.rows(
      `SELECT id, organisation_id, connection_id, place_id, platform, kind, external_id, name, full_name, name_folded,
         description, details, status, is_daily, starts_over, size_bytes, created_at FROM item ORDER BY id`,
    ),
    world.rows("SELECT * FROM place WHERE id IN (SELECT place_id FROM item) ORDER BY id"),
  ]);
  return { manifests: manifests.map(parsed), needs, objects, items: items.map(parsed), places };
}

/** A row with its JSON parsed: the order of members does not matter. */
const parsed = (row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      ["details", "completeness"].includes(name) ? JSON.parse(String(value)) : value,
    ]),
  );
