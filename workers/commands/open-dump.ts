/**
 * `npm run open-dump`: the offline side of dumps (docs/runbooks/lost-control-database.md).
 *
 * `--new-key FILE` makes a key: it writes the private half to the file and prints the line for `.production.vars`.
 * `--index KEY --key FILE --out dump.sql` reads a dump of the deployment (or, with `--dir`, of local databases) and writes SQL
 * that fills an empty, migrated control database.
 */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { getPlatformProxy } from "wrangler";
import { createDumpKeys, readDump } from "#core/dumps/index.ts";
import { writePrivately } from "./dev-vars.ts";
import { insertOf } from "./insert-of.ts";
import { writeRemoteConfig } from "./remote-config.ts";
import { ROOT } from "./tools.ts";

const { values } = parseArgs({
  options: {
    "new-key": { type: "string" },
    index: { type: "string" },
    key: { type: "string" },
    out: { type: "string" },
    dir: { type: "string" },
  },
});
if (values["new-key"] !== undefined) await makeKey(values["new-key"]);
else if (values.index && values.key && values.out)
  await open({ indexKey: values.index, keyFile: values.key, out: values.out, dir: values.dir });
else throw new Error("Give --new-key FILE, or --index KEY --key FILE --out FILE.");

async function makeKey(file: string): Promise<void> {
  const { publicKey, privateKey } = await createDumpKeys();
  writePrivately(file, `${privateKey}\n`);
  console.log(`DUMP_PUBLIC_KEY=${publicKey}`);
  console.log(`Keep ${file} offline, and not where MASTER_KEYS is.`);
}

async function open(order: { indexKey: string; keyFile: string; out: string; dir: string | undefined }) {
  const privateKey = readFileSync(order.keyFile, "utf8").trim();
  const isLocal = order.dir !== undefined;
  const { env, dispose } = await getPlatformProxy<{ DUMPS: R2Bucket }>({
    configPath: isLocal ? join(ROOT, "wrangler.toml") : writeRemoteConfig("open-dump", ["DUMPS"]),
    envFiles: [],
    remoteBindings: !isLocal,
    persist: isLocal ? { path: join(resolve(order.dir ?? ""), "state", "v3") } : false,
  });
  try {
    const read = async (key: string) => {
      const object = await env.DUMPS.get(key);
      return object ? new Uint8Array(await object.arrayBuffer()) : null;
    };
    writeFileSync(order.out, "PRAGMA defer_foreign_keys = on;\n", { mode: 0o600 });
    let count = 0;
    for await (const { table, rows } of readDump(read, { privateKey, indexKey: order.indexKey })) {
      appendFileSync(order.out, rows.map((row) => insertOf(table, row)).join(""));
      count += rows.length;
    }
    console.log(`${count} rows were written to ${order.out}. It is plain text: delete it after use.`);
  } finally {
    await dispose();
  }
}
