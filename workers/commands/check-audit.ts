/**
 * `npm run check-audit`: checks the audit trail against its chain and against the anchors in the vault, and names the
 * first entry that was altered, removed, inserted or moved. It reads the databases of `npm start`, those of another
 * folder with `--dir`, or with `--remote` those of the last deployment. It changes nothing.
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { getPlatformProxy } from "wrangler";
import { checkAudit } from "#core/audit/index.ts";
import { controlDatabase, type StorageBindings, vaultBucket } from "#core/database/ledgers.ts";
import { auditVerdict } from "./audit-verdict.ts";
import { writeRemoteConfig } from "./remote-config.ts";
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
  configPath: values.remote
    ? writeRemoteConfig("check-audit", ["DB", "VAULT_US"])
    : join(ROOT, "wrangler.toml"),
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
