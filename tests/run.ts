/**
 * `npm test`: runs all checks and tests. Continues after a failure, so that one run shows all of them, and ends with
 * the line `N passed, N failed` over checks and tests. `--only checks` stops before the tests. Long tests take turns
 * (tests/rotation), and `--all` takes all of them. `--record` writes the times of the run into tests/README.md and with
 * which sources long tests passed, with `--all` the whole list of them.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { contractsAreRequired, contractsNotice } from "#tests/conformance/contracts.ts";
import { makeMemoryFolder } from "#tests/harness/memory-folder.ts";
import { isDeep, sweepSeed } from "#tests/harness/sample.ts";
import { sweepSettings } from "#tests/harness/sweep-settings.ts";
import type { TestReport } from "#tests/harness/test-reports.ts";
import { type Phase, renderTimes, replaceTimes } from "#tests/harness/timing-page.ts";
import { scriptComplaint } from "#tests/harness/worker-script.ts";
import { ensureZipReaders } from "#tests/harness/zip-readers.ts";
import { PORT } from "#tests/journeys/stack.ts";
import { startJourneyStack } from "#tests/journeys/start-stack.ts";
import { keyOf, sharesTurn } from "#tests/rotation/rotation.ts";
import { listLongTests, recordPassed, waitingTests } from "#tests/rotation/turns.ts";
import { announceWaiting, readWaiting } from "#tests/rotation/waiting.ts";
import { COVERAGE_PAGE, coverageOf, readSuite, reportFile, type Suite } from "#tests/spec/read-coverage.ts";
import { differencesFrom, faultsOfClaims, idsIn } from "#tests/spec/render-coverage.ts";
import { ensureChromium } from "#workers/commands/find-chromium.ts";
import { buildScreens, isBuildStale } from "#workers/commands/screens-build.ts";
import { ROOT, runTool } from "#workers/commands/tools.ts";

const OUTPUT = join(ROOT, "tests/.output");
const PRODUCT = "workers/commands/start.ts";
/** The product with a platform that only the tests have. */
const PLANTED = "tests/sixth-platform/start.ts";
const PLANTED_CONFIG = "tests/sixth-platform/playwright.config.ts";
const PLANTED_PORT = 8861;
const GUIDE = join(ROOT, "tests/README.md");
/** A run with more flaky tests than this fails, because it proves too little. */
const MOST_FLAKY = 2;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    all: { type: "boolean", default: false },
    record: { type: "boolean", default: false },
  },
});
let passed = 0;
let failed = 0;
const phases: Phase[] = [];
const reports: TestReport[] = [];

rmSync(OUTPUT, { recursive: true, force: true });
mkdirSync(OUTPUT, { recursive: true });
// Every tool and test puts its temporary files there.
const scratch = makeMemoryFolder();
process.env.TMPDIR = scratch;
process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1));
await phase("checks", checks);
if (values.only !== "checks") await tests();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function checks(): Promise<void> {
  const layers = ["app", "connectors", "core", "durable-objects", "tests", "workers"];
  const generated = ["--import", "tsx", "workers/commands/generate.ts", "--check"];
  const compiler = join(ROOT, "node_modules/typescript-7/bin/tsc");
  // Several checkers would look at the same types again, and other checks use the other cores.
  const types = [
    ...["--noEmit", "-p", ".", "--checkers", "1"],
    ...["--incremental", "--tsBuildInfoFile", ".cache/types.tsbuildinfo"],
  ];
  await atOnce([
    async () => {
      await step("the screens build", async () => {
        if (isBuildStale()) await buildScreens();
        return null;
      });
      // The Worker's bundle contains the built screens.
      await tool("the Worker can be deployed", "wrangler", [
        "deploy",
        "--dry-run",
        "--outdir",
        "build/worker",
      ]);
      await step("the Worker's script is small enough", async () => scriptComplaint());
    },
    () => tool("types", "node", [compiler, ...types]),
    () => tool("layers", "depcruise", [...layers, "--config", ".dependency-cruiser.cjs"]),
    () => tool("nothing is unused", "knip", []),
    () => tool("generated files are fresh", "node", generated),
    () => tool("format and lint", "biome", ["check", "."]),
  ]);
}

async function tests(): Promise<void> {
  await step("there are ZIP readers of others", ensureZipReaders);
  // One seed for the whole run, also if a commit comes meanwhile.
  Object.assign(process.env, sweepSettings());
  const waiting = values.all || isDeep() ? [] : waitingTests(sweepSeed());
  announceWaiting(waiting);
  // Journeys wait for pages half of their time, and tests in workerd for databases, so each has two workers. Unit tests
  // come after the latter: their files are small and need no start, so no core waits for the other at the end.
  await Promise.all([
    (async () => {
      await phase("journeys", () => journeys({ suite: "journeys", script: PRODUCT, port: PORT }));
      if (waiting.some(({ file }) => sharesTurn(file))) return;
      await phase("sixth platform", () =>
        journeys({ suite: "sixth-platform", script: PLANTED, port: PLANTED_PORT, config: PLANTED_CONFIG }),
      );
    })(),
    (async () => {
      await phase("worker", () => vitest("worker"));
      await phase("unit", () => vitest("unit"));
    })(),
  ]);
  const times = renderTimes(
    phases,
    performance.now(),
    reports.flatMap((report) => report.times),
  );
  console.log(`\n${times}\n`);
  if (values.record) {
    writeFileSync(GUIDE, replaceTimes(readFileSync(GUIDE, "utf8"), times));
    await runTool("biome", ["format", "--write", GUIDE]);
    const tests = reports.flatMap((report) => report.tests);
    if (values.all) listLongTests(tests);
    else recordPassed(tests);
  }
  // Again at the end, because the output above is long.
  for (const { title, file, outcome, failures } of reports.flatMap((report) => report.tests)) {
    if (outcome !== "failed") continue;
    console.log(`✗ ${title} (${file})`);
    for (const failure of failures) console.log(`    ${failure}`);
  }
  await step("every requirement is proved as tests/COVERAGE.md says", async () => {
    const coverage = coverageOf(reports);
    const faults = faultsOfClaims(coverage);
    const differences = differencesFrom(readFileSync(COVERAGE_PAGE, "utf8"), coverage);
    if (differences.length > 0)
      differences.push("After npm test -- --all, npm run coverage:spec writes the file.");
    return [...faults, ...differences].join("\n") || null;
  });
  await step(`at most ${MOST_FLAKY} tests needed a second try`, async () => {
    const flaky = reports.flatMap((report) => report.tests.filter(({ outcome }) => outcome === "flaky"));
    for (const { title, file, steps, failures } of flaky) {
      const ids = [title, ...steps].flatMap(idsIn).join(" ");
      console.log(`~ flaky: ${title} (${file})${ids === "" ? "" : `: not compared: ${ids}`}`);
      for (const failure of failures) console.log(`    ${failure}`);
    }
    return flaky.length > MOST_FLAKY ? `${flaky.length} tests passed only when tried again.` : null;
  });
  if (waiting.length > 0) {
    const seed = sweepSeed().toString(16);
    console.log(
      `! ${waiting.length} long tests wait for their turn with other commits (seed ${seed}); npm test -- --all takes all.`,
    );
  }
  if (contractsAreRequired()) await step("the published contracts are here", async () => contractsNotice());
  else if (contractsNotice() !== null) console.log(`! ${contractsNotice()}`);
}

/** Runs journeys against a product of their own, which `script` starts. */
async function journeys(order: {
  suite: Suite;
  script: string;
  port: number;
  /** The journeys' configuration; absent = the project's. */
  config?: string;
}): Promise<void> {
  const { script, port, config } = order;
  const stack = startJourneyStack({ script, port, name: order.suite });
  let path: string | null = null;
  // Without these, every journey would fail for the same reason.
  const hasBrowser = await step("there is a browser", async () => {
    path = await ensureChromium();
    return null;
  });
  const hasProduct = await step(`the product of the ${order.suite} starts`, () => stack.ready);
  if (hasBrowser && hasProduct) {
    const args = ["test", "--reporter=list,json", ...(config === undefined ? [] : ["--config", config])];
    await suite(order.suite, "playwright", args, {
      env: {
        PLAYWRIGHT_JSON_OUTPUT_NAME: reportFile(order.suite),
        CHROMIUM_PATH: path ?? undefined,
        JOURNEY_PORT: String(port),
      },
    });
  }
  await stack.stop();
}

/** Runs a phase and records its duration. */
async function phase(name: string, run: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  await run();
  phases.push({ name, ms: performance.now() - startedAt });
}

/** Runs all of these, as many in parallel as there are cores. */
async function atOnce(works: readonly (() => Promise<unknown>)[]): Promise<void> {
  const waiting = [...works];
  const lane = async () => {
    for (let work = waiting.shift(); work; work = waiting.shift()) await work();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
}

/** One check, which passes when the tool exits with 0. Prints the output of a failed one. */
async function tool(what: string, name: string, args: string[]): Promise<void> {
  await step(what, async () => {
    const { code, output } = await runTool(name, args);
    return code === 0 ? null : output;
  });
}

/** Counts and prints one step. Returns whether it passed. */
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

function vitest(project: "unit" | "worker", options: string[] = []): Promise<void> {
  const outputs = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportFile(project)}`];
  return suite(project, "vitest", ["run", "--project", project, ...outputs, ...options], { isQuiet: true });
}

/**
 * Runs a test suite and counts the tests in its report. A suite that fails without a failed test counts as one failure.
 * With `isQuiet`, prints the output at the end.
 */
async function suite(
  name: Suite,
  program: string,
  args: string[],
  { isQuiet = false, env = {} }: { isQuiet?: boolean; env?: Record<string, string | undefined> } = {},
): Promise<void> {
  if (!isQuiet) console.log(`\n${name}`);
  const { code, output } = await runTool(program, args, { echo: !isQuiet, env });
  if (isQuiet) console.log(`\n${name}\n${output}`);
  const report = readSuite(name);
  if (report === null) {
    failed++;
    console.log(`✗ ${name}: ended with code ${code} and without ${relative(ROOT, reportFile(name))}`);
    return;
  }
  const waiting = readWaiting();
  const tests = report.tests.filter((test) => test.outcome !== "skipped" || !waiting.has(keyOf(test)));
  for (const { title, file } of tests.filter((test) => waiting.has(keyOf(test)))) {
    failed++;
    console.log(`✗ ran though it should have waited for its turn: ${title} (${file})`);
  }
  reports.push({ ...report, tests });
  const count = (...outcomes: string[]) => tests.filter(({ outcome }) => outcomes.includes(outcome)).length;
  passed += count("passed", "flaky");
  failed += code === 0 ? count("failed") : Math.max(1, count("failed"));
  for (const { title, file } of tests.filter(({ outcome }) => outcome === "skipped")) {
    console.log(`- skipped: ${title} (${file})`);
  }
}
