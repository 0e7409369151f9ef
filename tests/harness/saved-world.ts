import { env } from "cloudflare:workers";
import { listKeys } from "./empty-bindings.ts";
import type { FlowWorld } from "./flow-world.ts";
import { listTables } from "./tables.ts";

type Table = { name: string; rows: Record<string, unknown>[] };

/** Rows per statement. Their JSON stays far below D1's limit for one value. */
const ROWS_AT_ONCE = 200;

/**
 * Saves the ledger, the outbox, removals, the bucket and the waiting messages, so that many blows can hit one scenario without
 * rebuilding it. Connections are not saved: their tokens live at the platform as well. Returns a function that restores
 * the world.
 */
export async function saveWorld(world: FlowWorld): Promise<() => Promise<void>> {
  const bucket = env[`VAULT_${world.region}`];
  const ledger = await readTables(world.ledger, await listTables(world.ledger));
  const control = await readTables(env.DB, ["mail_outbox", "removal"]);
  const letters = structuredClone(world.queue.letters);
  const objects = new Map<string, Uint8Array>();
  for (const key of await listKeys(bucket)) objects.set(key, await (await bucket.get(key))!.bytes());
  return async () => {
    await Promise.all([restoreTables(world.ledger, ledger), restoreTables(env.DB, control)]);
    world.queue.letters = structuredClone(letters);
    world.mails.length = 0;
    const present = new Set(await listKeys(bucket));
    const strays = [...present].filter((key) => !objects.has(key));
    if (strays.length > 0) await bucket.delete(strays);
    for (const [key, bytes] of objects) if (!present.has(key)) await bucket.put(key, bytes);
  };
}

async function readTables(database: D1Database, names: readonly string[]): Promise<Table[]> {
  const answers = await database.batch<Record<string, unknown>>(
    names.map((name) => database.prepare(`SELECT * FROM "${name}"`)),
  );
  return answers.map(({ results }, i) => ({ name: names[i]!, rows: results }));
}

/** Rewrites the tables that have changed. Repeats when a trigger changed another table. */
async function restoreTables(database: D1Database, tables: readonly Table[]): Promise<void> {
  const names = tables.map(({ name }) => name);
  for (;;) {
    const present = await readTables(database, names);
    const changed = tables.filter((table, i) => JSON.stringify(table) !== JSON.stringify(present[i]));
    if (changed.length === 0) return;
    await database.batch(changed.flatMap((table) => rewrite(database, table)));
  }
}

function rewrite(database: D1Database, { name, rows }: Table): D1PreparedStatement[] {
  const columns = Object.keys(rows[0] ?? {});
  const values = columns.map(
    (_, i) =>
      `iif(json_type(value, '$[${i}]') = 'object', unhex(value->>'$[${i}].bytes'), json_extract(value, '$[${i}]'))`,
  );
  const statement = `INSERT INTO "${name}" ("${columns.join('","')}") SELECT ${values} FROM json_each(?)`;
  const statements = [database.prepare(`DELETE FROM "${name}"`)];
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const lists = rows.slice(at, at + ROWS_AT_ONCE).map((row) => Object.values(row).map(asJson));
    statements.push(database.prepare(statement).bind(JSON.stringify(lists)));
  }
  return statements;
}

/** D1 returns bytes as a list of numbers, which JSON would bring back as a text. */
const asJson = (value: unknown) =>
  Array.isArray(value) ? { bytes: Buffer.from(value).toString("hex") } : value;
