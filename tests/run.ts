/**
 * `npm test`: everything that must hold, in one run. Goes on after a failure, so that one look shows all of them,
 * and ends with the line `N passed, N failed` over checks and tests. `--only checks` stops before the tests.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { readTestReport } from "#tests/harness/test-reports.ts";
import { ensureChromium } from "#workers/commands/find-chromium.ts";
import { buildScreens } from "#workers/commands/screens-build.ts";
import { ROOT, runTool } from "#workers/commands/tools.ts";

const OUTPUT = join(ROOT, "tests/.output");
const { values } = parseArgs({ options: { only: { type: "string" } } });
let passed = 0;
let failed = 0;

rmSync(OUTPUT, { recursive: true, force: true });
mkdirSync(OUTPUT, { recursive: true });
// First, because the Worker and its types are made of the built screens.
await step("the screens build", async () => {
  await buildScreens();
  return null;
});
await checks();
if (values.only !== "checks") await tests();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function checks(): Promise<void> {
  const layers = ["app", "connectors", "core", "durable-objects", "tests", "workers"];
  await tool("types", "tsc", ["--noEmit", "-p", "."]);
  await tool("format and lint", "biome", ["check", "."]);
  await tool("layers", "depcruise", [...layers, "--config", ".dependency-cruiser.cjs"]);
  await tool("nothing is unused", "knip", []);
  await tool("generated files are fresh", "node", [
    "--import",
    "tsx",
    "workers/commands/generate.ts",
    "--check",
  ]);
  await tool("the Worker can be deployed", "wrangler", ["deploy", "--dry-run", "--outdir", "build/worker"]);
}

async function tests(): Promise<void> {
  const reporters = (name: string) => [
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${reportFile(name)}`,
  ];
  for (const project of ["unit", "worker"]) {
    await suite(project, "vitest", ["run", "--project", project, ...reporters(project)]);
  }
  const browser: { path: string | null } = { path: null };
  const hasBrowser = await step("there is a browser", async () => {
    browser.path = await ensureChromium();
    return null;
  });
  // Without one every journey would fail for the same reason.
  if (hasBrowser) {
    await suite("journeys", "playwright", ["test", "--reporter=list,json"], {
      PLAYWRIGHT_JSON_OUTPUT_NAME: reportFile("journeys"),
      CHROMIUM_PATH: browser.path ?? undefined,
    });
  }
  await tool("requirements are accounted for", "node", ["--import", "tsx", "tests/spec/coverage.ts"]);
}

/** One check: done well when the tool says so. What a failed one printed is shown. */
async function tool(what: string, name: string, args: string[]): Promise<void> {
  await step(what, async () => {
    const { code, output } = await runTool(name, args);
    return code === 0 ? null : output;
  });
}

/** Answers whether it was done well. */
async function step(what: string, run: () => Promise<string | null>): Promise<boolean> {
  const complaint = await run().catch((cause: unknown) =>
    cause instanceof Error ? cause.message : String(cause),
  );
  if (complaint === null) passed++;
  else failed++;
  console.log(`${complaint === null ? "✓" : "✗"} ${what}`);
  if (complaint !== null) console.log(complaint);
  return complaint === null;
}

/** A suite of tests, counted from its report. A suite that fails without a failed test counts as one failure. */
async function suite(
  what: string,
  name: string,
  args: string[],
  env: Record<string, string | undefined> = {},
): Promise<void> {
  console.log(`\n${what}`);
  const { code } = await runTool(name, args, { echo: true, env });
  const file = reportFile(what);
  if (!existsSync(file)) {
    failed++;
    console.log(`✗ ${what}: ended with code ${code} and without ${relative(ROOT, file)}`);
    return;
  }
  const reported = readTestReport(readFileSync(file, "utf8"), ROOT);
  const failures = reported.filter((test) => test.outcome === "failed").length;
  passed += reported.filter((test) => test.outcome === "passed").length;
  failed += failures > 0 || code === 0 ? failures : 1;
  const skipped = reported.filter((test) => test.outcome === "skipped");
  for (const test of skipped) console.log(`- skipped: ${test.title} (${test.file})`);
}

function reportFile(name: string): string {
  return join(OUTPUT, `${name}.json`);
}
