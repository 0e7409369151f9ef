import { createHash, createHmac } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ROOT, runTool } from "./tools.ts";

/** Bindings of the five databases: the control plane, then a ledger per region. */
export const DATABASES = ["DB", "LEDGER_US", "LEDGER_DE", "LEDGER_UK", "LEDGER_AP"] as const;

/** Applies every migration that the local databases below `stateDir` have not seen. @throws Error naming the database */
export async function migrateLocalDatabases(stateDir: string): Promise<void> {
  const stamp = join(stateDir, "migrations.sha256");
  const wanted = hashOfMigrations();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  for (const binding of DATABASES) {
    const args = ["d1", "migrations", "apply", binding, "--local", "--persist-to", stateDir];
    const { code, output } = await runTool("wrangler", args, { env: { CI: "1" } });
    if (code !== 0) throw new Error(`The database ${binding} could not be migrated:\n${output}`);
  }
  mkdirSync(stateDir, { recursive: true });
  writeFileSync(stamp, wanted);
}

const BUSY_PATIENCE_MS = 10_000;

/**
 * Changes the local databases behind the product's back: for the demo, which cannot wait a day. It writes the file in
 * one short transaction, because SQLite refuses the product's own writes ("busy") as long as another process holds
 * the lock.
 * @throws Error of SQLite
 */
export function executeLocally(stateDir: string, binding: (typeof DATABASES)[number], sql: string): void {
  const database = new DatabaseSync(join(stateDir, "v3/d1", D1_CLASS, `${nameOfFile(binding)}.sqlite`));
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_PATIENCE_MS}; PRAGMA synchronous = OFF;`);
    database.exec(sql);
  } finally {
    database.close();
  }
}

const D1_CLASS = "miniflare-D1DatabaseObject";

/** The local D1 keeps each database in a Durable Object: its id is made of the class's and the database's names. */
function nameOfFile(binding: (typeof DATABASES)[number]): string {
  const key = createHash("sha256").update(D1_CLASS).digest();
  const sign = (data: string | Buffer) => createHmac("sha256", key).update(data).digest().subarray(0, 16);
  const name = sign(databaseId(binding));
  return Buffer.concat([name, sign(name)]).toString("hex");
}

function databaseId(binding: string): string {
  const config = readFileSync(join(ROOT, "wrangler.toml"), "utf8");
  const found = new RegExp(`binding = "${binding}"[^[]*?database_id = "([^"]+)"`).exec(config);
  if (!found?.[1]) throw new Error(`wrangler.toml names no database ${binding}.`);
  return found[1];
}

function hashOfMigrations(): string {
  const hash = createHash("sha256");
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
