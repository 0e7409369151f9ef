import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PLANTS, type Plant } from "./plants.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const CRUISER = path.join(ROOT, "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs");
const { forbidden } = createRequire(import.meta.url)(path.join(ROOT, ".dependency-cruiser.cjs")) as {
  forbidden: { name: string }[];
};

type Violation = { from: string; rule: { name: string } };
let tree: string;
let violations: Violation[];

beforeAll(async () => {
  tree = await mkdtemp(path.join(tmpdir(), "planted-"));
  for (const plant of PLANTS) {
    const file = path.join(tree, plant.file);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, sourceOf(plant));
  }
  for (const name of ["tsconfig.json", ".dependency-cruiser.cjs"]) {
    await cp(path.join(ROOT, name), path.join(tree, name));
  }
  const { imports } = JSON.parse(await readFile(path.join(ROOT, "package.json"), "utf8"));
  await writeFile(path.join(tree, "package.json"), JSON.stringify({ type: "module", imports }));
  await symlink(path.join(ROOT, "node_modules"), path.join(tree, "node_modules"));
  violations = await cruise();
});

afterAll(() => rm(tree, { recursive: true, force: true }));

function sourceOf({ imports }: Plant): string {
  const lines = imports.map((name, i) =>
    name.startsWith("type:")
      ? `import type * as t${i} from "${name.slice("type:".length)}";\nexport type T${i} = typeof t${i};`
      : `import * as v${i} from "${name}";\nexport const w${i} = v${i};`,
  );
  return `${lines.join("\n")}\nexport const here = true;\n`;
}

/** Every violation in the planted tree. The tool's exit code is their number, so a failed exit has a result too. */
async function cruise(): Promise<Violation[]> {
  const folders = ["app", "core", "connectors", "durable-objects", "tests", "workers"];
  const options = ["--config", ".dependency-cruiser.cjs", "--output-type", "json"];
  const run = promisify(execFile)(process.execPath, [CRUISER, ...folders, ...options], {
    cwd: tree,
    maxBuffer: 2 ** 26,
  });
  const { stdout } = await run.catch((failure: { stdout: string }) => failure);
  return JSON.parse(stdout).summary.violations;
}

const rulesAgainst = (file: string) =>
  violations.filter((violation) => violation.from === file).map((violation) => violation.rule.name);

test("every layer rule has a planted violation", () => {
  expect(new Set(PLANTS.flatMap((plant) => plant.caughtBy ?? []))).toEqual(
    new Set(forbidden.map((rule) => rule.name)),
  );
});

test.each(PLANTS.filter((plant) => plant.caughtBy))("$caughtBy catches $file", ({ file, caughtBy }) => {
  expect(rulesAgainst(file)).toContain(caughtBy);
});

test("allowed imports are not reported", () => {
  // Both files of a cycle are reported. No other clean file may be.
  const clean = PLANTS.filter((plant) => plant.caughtBy === null && plant.file !== "core/backups/hen.ts");
  for (const plant of clean) expect([plant.file, rulesAgainst(plant.file)]).toEqual([plant.file, []]);
});
