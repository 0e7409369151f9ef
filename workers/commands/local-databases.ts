import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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

const MOST_TRIES = 10;

/**
 * Changes the local ledgers behind the product's back: for the demo, which cannot wait a day. The product may be
 * writing at this moment, which SQLite answers with "busy"; then it is tried again.
 */
export async function executeLocally(stateDir: string, binding: (typeof DATABASES)[number], sql: string) {
  const args = ["d1", "execute", binding, "--local", "--persist-to", stateDir, "--command", sql];
  for (let tries = 1; ; tries++) {
    const { code, output } = await runTool("wrangler", args, { env: { CI: "1" } });
    if (code === 0) return;
    const isBusy = /SQLITE_BUSY|database is locked/.test(output);
    if (!isBusy || tries === MOST_TRIES) throw new Error(`The database ${binding} refused: ${output}`);
    await new Promise((resolve) => setTimeout(resolve, 200 * tries));
  }
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
