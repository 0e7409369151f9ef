import { env } from "cloudflare:workers";
import { type FlowWorld, listKeys } from "./flow-world.ts";

type Table = { name: string; rows: Record<string, unknown>[] };

/**
 * Remembers the ledger, the outbox, the bucket and the waiting messages, so that one scenario can be met by many
 * blows without being built anew. Connections stay as they are: their tokens live at the platform as well.
 */
export async function saveWorld(world: FlowWorld): Promise<() => Promise<void>> {
  const bucket = env[`VAULT_${world.region}`];
  const ledger = await readTables(world.ledger, /./);
  const outbox = await readTables(env.DB, /^mail_outbox$/);
  const letters = structuredClone(world.queue.letters);
  const objects = new Map<string, Uint8Array>();
  for (const key of await listKeys(bucket)) objects.set(key, await (await bucket.get(key))!.bytes());
  return async () => {
    await writeTables(world.ledger, ledger);
    await writeTables(env.DB, outbox);
    world.queue.letters = structuredClone(letters);
    world.mails.length = 0;
    const present = new Set(await listKeys(bucket));
    const strays = [...present].filter((key) => !objects.has(key));
    if (strays.length > 0) await bucket.delete(strays);
    for (const [key, bytes] of objects) if (!present.has(key)) await bucket.put(key, bytes);
  };
}

async function readTables(database: D1Database, wanted: RegExp): Promise<Table[]> {
  const { results } = await database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 1) <> '_'")
    .all<{ name: string }>();
  const names = results
    .map(({ name }) => name)
    .filter((name) => wanted.test(name) && !/^(sqlite_|d1_)/.test(name));
  return Promise.all(
    names.map(async (name) => ({
      name,
      rows: (await database.prepare(`SELECT * FROM "${name}"`).all<Record<string, unknown>>()).results,
    })),
  );
}

async function writeTables(database: D1Database, tables: Table[]): Promise<void> {
  const statements = tables.flatMap(({ name, rows }) => [
    database.prepare(`DELETE FROM "${name}"`),
    ...rows.map((row) => {
      const columns = Object.keys(row).map((column) => `"${column}"`);
      const marks = columns.map(() => "?").join(",");
      return database
        .prepare(`INSERT INTO "${name}" (${columns.join(",")}) VALUES (${marks})`)
        .bind(...Object.values(row));
    }),
  ]);
  await database.batch([database.prepare("PRAGMA defer_foreign_keys = ON"), ...statements]);
}
