/**
 * Applies all pending migrations to the local databases below the folder in its only argument, as
 * `wrangler d1 migrations apply --local` does: one batch per migration, which also records it. That command starts a
 * runtime for each statement of each database. This starts one runtime for all, so it is a program of its own.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { getPlatformProxy, unstable_readConfig, unstable_splitSqlQuery } from "wrangler";
import { ROOT } from "./tools.ts";

/** wrangler's own table, which a deployment reads too. */
const CREATE_RECORD = `CREATE TABLE IF NOT EXISTS d1_migrations(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

const [stateDir] = process.argv.slice(2);
if (stateDir === undefined) throw new Error("Which folder has the databases?");
const configPath = join(ROOT, "wrangler.toml");
const { env, dispose } = await getPlatformProxy<Record<string, D1Database>>({
  configPath,
  envFiles: [],
  remoteBindings: false,
  persist: { path: join(stateDir, "v3") },
});
try {
  for (const { binding, migrations_dir } of unstable_readConfig({ config: configPath }).d1_databases) {
    const database = env[binding];
    if (!database || !migrations_dir) throw new Error(`wrangler.toml has no migrations for ${binding}.`);
    await migrate(database, join(ROOT, migrations_dir)).catch((cause) => {
      throw new Error(`The database ${binding} could not be migrated.`, { cause });
    });
  }
} finally {
  await dispose();
}

async function migrate(database: D1Database, folder: string): Promise<void> {
  await database.prepare(CREATE_RECORD).run();
  const { results } = await database.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  const all = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  for (const name of all.sort().filter((each) => !applied.has(each))) {
    const statements = unstable_splitSqlQuery(readFileSync(join(folder, name), "utf8"));
    await database.batch([
      ...statements.map((sql) => database.prepare(sql)),
      database.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name),
    ]);
  }
}
