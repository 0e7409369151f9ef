import { env } from "cloudflare:workers";
import { REGIONS } from "#core/kernel/platform-id.ts";

/** Names of the product's tables in a database: neither SQLite's own nor those that remember its migrations. */
export async function listTables(database: D1Database): Promise<string[]> {
  const { results } = await database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 1) <> '_'")
    .all<{ name: string }>();
  return results.map(({ name }) => name).filter((name) => !/^(sqlite_|d1_)|_migrations$/.test(name));
}

/** Empties every database and bucket: the sweeps serve all organisations, so tests must not leave any behind. */
export async function emptyEverything(): Promise<void> {
  const databases = [env.DB, ...REGIONS.map((region) => env[`LEDGER_${region}`])];
  await Promise.all([
    ...databases.map(emptyDatabase),
    ...[...REGIONS.map((region) => env[`VAULT_${region}`]), env.AVATARS].map(emptyBucket),
  ]);
}

async function emptyDatabase(database: D1Database): Promise<void> {
  const tables = await listTables(database);
  if (tables.length === 0) throw new Error("There are no tables: the migrations did not run.");
  // A look is cheaper than a deletion that finds nothing.
  const looks = tables.map((name) => `EXISTS (SELECT 1 FROM "${name}") AS "${name}"`);
  const hasRows = await database.prepare(`SELECT ${looks.join(", ")}`).first<Record<string, number>>();
  const filled = tables.filter((name) => hasRows?.[name]);
  if (filled.length === 0) return;
  await database.batch([
    database.prepare("PRAGMA defer_foreign_keys = ON"),
    ...filled.map((name) => database.prepare(`DELETE FROM "${name}"`)),
  ]);
}

/** Every key in a bucket. */
export async function listKeys(bucket: R2Bucket): Promise<string[]> {
  const keys: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page: R2Objects = await bucket.list(cursor === undefined ? {} : { cursor });
    keys.push(...page.objects.map(({ key }) => key));
    if (!page.truncated) return keys;
    cursor = page.cursor;
  }
}

async function emptyBucket(bucket: R2Bucket): Promise<void> {
  const keys = await listKeys(bucket);
  for (let at = 0; at < keys.length; at += 1_000) await bucket.delete(keys.slice(at, at + 1_000));
}
