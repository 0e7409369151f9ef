/**
 * `npm run move-organisation -- --organisation org_… --to DE_2`: moves an organisation to another ledger of its region, and
 * an hour later, called again, removes the rows that it left (docs/runbooks/full-ledger.md). It works on the databases of
 * `npm start`, those of another folder with `--dir`, or with `--remote` those of the last deployment. It can be stopped
 * and repeated.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { getPlatformProxy } from "wrangler";
import { controlDatabase, ledgerDatabase, type StorageBindings } from "#core/database/ledgers.ts";
import { isShard, listShards, regionOf } from "#core/database/shards.ts";
import { systemClock } from "#core/kernel/clock.ts";
import { moveOrganisation } from "#core/moves/index.ts";
import { databasesIn } from "./deployment-plan.ts";
import { describeMove } from "./describe-move.ts";
import { writeRemoteConfig } from "./remote-config.ts";
import { ROOT } from "./tools.ts";

const { values } = parseArgs({
  options: {
    organisation: { type: "string" },
    to: { type: "string" },
    dir: { type: "string", default: join(ROOT, ".demo") },
    remote: { type: "boolean", default: false },
  },
});
const { organisation: organisationId, to: target } = values;
if (!organisationId) throw new Error("Name the organisation: --organisation org_…");
const databases = databasesIn(readFileSync(join(ROOT, "wrangler.toml"), "utf8")).map(
  ({ binding }) => binding,
);
const shards = listShards(Object.fromEntries(databases.map((binding) => [binding, true])));
if (!isShard(target) || !shards.includes(target))
  throw new Error(`Name the ledger: --to ${shards.join("|")}`);
const stateDir = join(resolve(values.dir), "state");
if (!values.remote && !existsSync(stateDir)) throw new Error(`There are no databases in ${stateDir}.`);

const ofRegion = shards.filter((shard) => regionOf(shard) === regionOf(target));
const bindings = ["DB", ...ofRegion.map((shard) => `LEDGER_${shard}`)];
const { env, dispose } = await getPlatformProxy<StorageBindings & Record<string, unknown>>({
  configPath: values.remote ? writeRemoteConfig("move-organisation", bindings) : join(ROOT, "wrangler.toml"),
  envFiles: [],
  remoteBindings: values.remote,
  persist: values.remote ? false : { path: join(stateDir, "v3") },
});
try {
  const services = {
    clock: systemClock,
    control: controlDatabase(env),
    ledger: (shard: typeof target) => ledgerDatabase(env, shard),
    shards: ofRegion,
  };
  let isIdle = true;
  for await (const event of moveOrganisation(services, { organisationId, target })) {
    isIdle = false;
    console.log(describeMove(event));
  }
  if (isIdle)
    console.log(`\u2713 ${organisationId} is in ${target}, and has no rows elsewhere in the region.`);
} finally {
  await dispose();
}
