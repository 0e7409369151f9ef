import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyWhole, replaceKept } from "./copy-whole.ts";
import { databasesIn } from "./deployment-plan.ts";
import { ROOT, runTool } from "./tools.ts";

/** Bindings of the databases in wrangler.toml: the control plane, then every ledger. */
export const boundDatabases = (): string[] => databasesIn(readConfig()).map(({ binding }) => binding);

const readConfig = () => readFileSync(join(ROOT, "wrangler.toml"), "utf8");

/**
 * The environment of a local wrangler: no prompts, and a home below the data, so that it needs no writable home and
 * does not see other wrangler processes on this machine. The Worker is bundled as for a deployment: otherwise wrangler
 * takes React's development build, which renders a page several times slower. It stores no traces: nobody reads them, and
 * they contain full URLs.
 */
export function localWranglerEnv(stateDir: string): Record<string, string> {
  return {
    CI: "1",
    NODE_ENV: "production",
    X_LOCAL_OBSERVABILITY: "false",
    XDG_CONFIG_HOME: join(stateDir, "home"),
  };
}

/** Empty databases with all migrations, by the hash of these. Migrating five takes longer than a copy. */
const EMPTY_DATABASES = join(ROOT, ".cache/databases");

/** Applies all pending migrations to the local databases below `stateDir`. @throws Error naming the database that fails */
export async function migrateLocalDatabases(stateDir: string): Promise<void> {
  const stamp = join(stateDir, "migrations.sha256");
  const wanted = hashOfDatabases();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  // The folder in which wrangler keeps what is local.
  const databases = join(stateDir, "v3");
  const isNew = !existsSync(databases);
  const kept = join(EMPTY_DATABASES, wanted);
  if (isNew && existsSync(kept)) copyWhole(kept, databases);
  else await migrate(stateDir);
  if (isNew && !existsSync(kept)) replaceKept(databases, kept);
  mkdirSync(stateDir, { recursive: true });
  writeFileSync(stamp, wanted);
}

async function migrate(stateDir: string): Promise<void> {
  const program = join(ROOT, "workers/commands/migrate-databases.ts");
  const { code, output } = await runTool("node", ["--import", "tsx", program, stateDir], {
    env: localWranglerEnv(stateDir),
  });
  if (code !== 0) throw new Error(`The databases could not be migrated:\n${output}`);
}

/**
 * Changes a local database directly, for the demo, which cannot wait a day. The statements run together or not at all,
 * in the runtime that has the database open: if a second process wrote to it, SQLite would fail the product's own writes
 * ("busy").
 * @throws Error with the database's answer
 */
export async function executeLocally(
  appUrl: string,
  binding: string,
  ...statements: string[]
): Promise<void> {
  const url = `${appUrl}/cdn-cgi/local/explorer/api/d1/database/${databaseId(binding)}/raw`;
  const headers = { "Content-Type": "application/json" };
  const batch = statements.map((sql) => ({ sql }));
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify({ batch }) });
  const text = await answer.text();
  if (!answer.ok || !text.includes('"success":true')) {
    throw new Error(`The database ${binding} refused (${answer.status}): ${text.slice(0, 500)}`);
  }
}

function databaseId(binding: string): string {
  const found = new RegExp(`binding = "${binding}"[^[]*?database_id = "([^"]+)"`).exec(readConfig());
  if (!found?.[1]) throw new Error(`wrangler.toml names no database ${binding}.`);
  return found[1];
}

function hashOfDatabases(): string {
  const wrangler = readFileSync(join(ROOT, "node_modules/wrangler/package.json"), "utf8");
  const { version } = JSON.parse(wrangler) as { version: string };
  const hash = createHash("sha256").update(`${version} ${boundDatabases().map(databaseId).join()}`);
  for (const folder of ["control", "ledger"]) {
    const path = join(ROOT, "migrations", folder);
    for (const name of readdirSync(path)
      .filter((each) => each.endsWith(".sql"))
      .sort()) {
      hash.update(`${folder}/${name}\n`).update(readFileSync(join(path, name)));
    }
  }
  return hash.digest("hex");
}
