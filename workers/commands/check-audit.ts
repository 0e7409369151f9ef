/**
 * `npm run check-audit`: checks the audit trail against its chain and against the anchors in the vault, and names the
 * first entry that was altered, removed, inserted or moved. It reads the databases of `npm start`, those of another
 * folder with `--dir`, or with `--remote` those of the last deployment. It changes nothing.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { getPlatformProxy } from "wrangler";
import { checkAudit } from "#core/audit/index.ts";
import { controlDatabase, type StorageBindings, vaultBucket } from "#core/database/ledgers.ts";
import { auditVerdict, remoteConfig } from "./audit-verdict.ts";
import { ROOT } from "./tools.ts";

const { values } = parseArgs({
  options: {
    dir: { type: "string", default: join(ROOT, ".demo") },
    remote: { type: "boolean", default: false },
  },
});
const stateDir = join(resolve(values.dir), "state");
if (!values.remote && !existsSync(stateDir)) throw new Error(`There are no databases in ${stateDir}.`);

const { env, dispose } = await getPlatformProxy<StorageBindings & Record<string, unknown>>({
  configPath: values.remote ? writeRemoteConfig() : join(ROOT, "wrangler.toml"),
  envFiles: [],
  remoteBindings: values.remote,
  persist: values.remote ? false : { path: join(stateDir, "v3") },
});
try {
  const report = await checkAudit({
    control: controlDatabase(env),
    bucket: (region) => vaultBucket(env, region),
  });
  const { isGood, text } = auditVerdict(report);
  console.log(`${isGood ? "✓" : "✗"} ${text}`);
  process.exitCode = isGood ? 0 : 1;
} finally {
  await dispose();
}

/** A copy of the deployment's configuration that reads its own database and bucket instead of local ones. */
function writeRemoteConfig(): string {
  const deployed = join(ROOT, "wrangler.production.toml");
  if (!existsSync(deployed)) throw new Error("Nothing was deployed from this folder: npm run deploy");
  const folder = join(ROOT, ".cache");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "check-audit.toml");
  writeFileSync(path, remoteConfig(readFileSync(deployed, "utf8")));
  return path;
}
