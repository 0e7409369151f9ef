/**
 * `npm run rebuild-ledger -- --region DE`: makes the ledgers of a region again from its bucket and the control database,
 * into empty, migrated databases (docs/runbooks/lost-ledger.md). It works on the databases of `npm start`, those of
 * another folder with `--dir`, or with `--remote` those of the last deployment. `--organisation` takes one organisation,
 * `--again` also the items that are there. It can be stopped and repeated.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { getPlatformProxy } from "wrangler";
import { controlDatabase, type StorageBindings, vaultBucket } from "#core/database/ledgers.ts";
import { systemClock } from "#core/kernel/clock.ts";
import { REGIONS } from "#core/kernel/platform-id.ts";
import { openLedgers } from "#core/placement/index.ts";
import { rebuildLedger } from "#core/recovery/index.ts";
import { withByteBodies } from "./byte-bodies.ts";
import { databasesIn } from "./deployment-plan.ts";
import { readDevVars } from "./dev-vars.ts";
import { tallyRebuild } from "./rebuild-tally.ts";
import { writeRemoteConfig } from "./remote-config.ts";
import { ROOT } from "./tools.ts";

const { values } = parseArgs({
  options: {
    region: { type: "string" },
    dir: { type: "string", default: join(ROOT, ".demo") },
    remote: { type: "boolean", default: false },
    organisation: { type: "string" },
    again: { type: "boolean", default: false },
    vars: { type: "string" },
  },
});
const region = REGIONS.find((each) => each === values.region);
if (!region) throw new Error(`Name the region: --region ${REGIONS.join("|")}`);
const stateDir = join(resolve(values.dir), "state");
if (!values.remote && !existsSync(stateDir)) throw new Error(`There are no databases in ${stateDir}.`);
const varsFile = values.vars ?? join(ROOT, values.remote ? ".production.vars" : ".dev.vars");
const MASTER_KEYS = readDevVars(readFileSync(varsFile, "utf8")).get("MASTER_KEYS");
if (!MASTER_KEYS) throw new Error(`${varsFile} has no MASTER_KEYS, without which no object can be read.`);

const ledgers = databasesIn(readFileSync(join(ROOT, "wrangler.toml"), "utf8"))
  .map(({ binding }) => binding)
  .filter((binding) => new RegExp(`^LEDGER_${region}(_\\d+)?$`).test(binding));
const bindings = ["DB", ...ledgers, `VAULT_${region}`];
const { env, dispose } = await getPlatformProxy<StorageBindings & Record<string, unknown>>({
  configPath: values.remote ? writeRemoteConfig("rebuild-ledger", bindings) : join(ROOT, "wrangler.toml"),
  envFiles: [],
  remoteBindings: values.remote,
  persist: values.remote ? false : { path: join(stateDir, "v3") },
});
try {
  const tally = tallyRebuild();
  const services = {
    clock: systemClock,
    control: controlDatabase(env),
    ledger: openLedgers(env, controlDatabase(env)),
    bucket: () => withByteBodies(vaultBucket(env, region)),
    settings: { MASTER_KEYS },
  };
  const order = { region, only: values.organisation ?? null, isAgain: values.again };
  for await (const event of rebuildLedger(services, order)) {
    const line = tally.note(event);
    if (line !== null) console.log(line);
  }
  console.log(tally.text());
  process.exitCode = tally.isWhole() ? 0 : 1;
} finally {
  await dispose();
}
