/**
 * `npm run generate`: writes all generated files. `--check` leaves no changes and fails when a file is stale. `--name
 * add_note` names a new migration.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { callTypes } from "./call-types.ts";
import { ROOT, runTool } from "./tools.ts";
import { viewerProgram } from "./viewer-program.ts";

const { values } = parseArgs({
  options: { check: { type: "boolean", default: false }, name: { type: "string" } },
});

const complaints = [
  await registry(values.check),
  await viewerProgram(values.check),
  callTypes(values.check),
  await bindingTypes(values.check),
  ...(await migrations(values.check, values.name)),
].filter((complaint) => complaint !== null);
for (const complaint of complaints) console.error(complaint);
process.exitCode = complaints.length === 0 ? 0 : 1;

async function registry(isCheck: boolean): Promise<string | null> {
  const args = ["--import", "tsx", "connectors/registry/generate.ts", ...(isCheck ? ["--check"] : [])];
  const { code, output } = await runTool("node", args);
  return code === 0 ? null : `The registry of platforms is stale or broken:\n${output}`;
}

async function bindingTypes(isCheck: boolean): Promise<string | null> {
  // No env file, so that a machine's own .dev.vars cannot affect the types.
  const args = [
    "types",
    "--include-runtime=false",
    "--env-file",
    "/dev/null",
    ...(isCheck ? ["--check"] : []),
  ];
  const { code, output } = await runTool("wrangler", args);
  return code === 0 ? null : `The types of the bindings are stale: run npm run generate\n${output}`;
}

/** Runs drizzle-kit to compare schema and migrations. A check works on a copy. */
async function migrations(isCheck: boolean, name: string | undefined): Promise<(string | null)[]> {
  const complaints: (string | null)[] = [];
  for (const database of ["control", "ledger"]) {
    const folder = join("migrations", database);
    const out = isCheck ? join(".cache/fresh", database) : folder;
    if (isCheck) {
      rmSync(join(ROOT, out), { recursive: true, force: true });
      mkdirSync(join(ROOT, out), { recursive: true });
      if (existsSync(join(ROOT, folder))) cpSync(join(ROOT, folder), join(ROOT, out), { recursive: true });
    }
    const count = () => readdirSync(join(ROOT, out)).filter((file) => file.endsWith(".sql")).length;
    const before = existsSync(join(ROOT, out)) ? count() : 0;
    const args = ["generate", ...(name === undefined ? [] : ["--name", name])];
    const { code, output } = await runTool("drizzle-kit", args, {
      env: { DATABASE: database, MIGRATIONS_OUT: `./${out}` },
    });
    if (code !== 0) complaints.push(`The ${database} migrations could not be compared:\n${output}`);
    else if (isCheck && count() !== before) {
      complaints.push(
        `The ${database} schema has changed without a migration: npm run generate -- --name <what>`,
      );
    }
  }
  return complaints;
}
