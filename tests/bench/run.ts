/**
 * `npm run bench`: the product's speed as ratios against known references (git, the bucket alone, a library), in the
 * real runtime. `--quick` uses small sizes, `--only P4,P6` runs some benches. A full run of all benches writes
 * RESULTS.md.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Bench, Finding, Sizes } from "./bench.ts";
import { alikeAnswers } from "./benches/alike.ts";
import { backupTools } from "./benches/backup-tools.ts";
import { cloneByUrl } from "./benches/clone.ts";
import { compareVersions } from "./benches/compare.ts";
import { dailyCost } from "./benches/daily-cost.ts";
import { fairTurns } from "./benches/fair.ts";
import { fanOut } from "./benches/fan-out.ts";
import { firstLoad } from "./benches/first-load.ts";
import { increments, wholeRepository } from "./benches/git.ts";
import { lighthouse } from "./benches/lighthouse.ts";
import { listPages } from "./benches/lists.ts";
import { manyCards } from "./benches/many-cards.ts";
import { manyIssues } from "./benches/many-issues.ts";
import { manyPages } from "./benches/many-pages.ts";
import { manyRecords } from "./benches/many-records.ts";
import { flatMemory } from "./benches/memory.ts";
import { signedInPages } from "./benches/page.ts";
import { records } from "./benches/records.ts";
import { dueItems } from "./benches/schedule.ts";
import { storeStream } from "./benches/store.ts";
import { zipDownload } from "./benches/zip.ts";
import { startGitHost } from "./git-host.ts";
import { asMarkdown, asTable } from "./report.ts";
import { bundleWorker } from "./runtime.ts";

const MIB = 1_048_576;
const GIB = 1_024 * MIB;
const BENCHES: readonly Bench[] = [
  dueItems,
  dailyCost,
  records,
  manyRecords,
  manyPages,
  manyIssues,
  listPages,
  storeStream,
  backupTools,
  zipDownload,
  cloneByUrl,
  flatMemory,
  manyCards,
  increments,
  wholeRepository,
  firstLoad,
  signedInPages,
  alikeAnswers,
  fanOut,
  compareVersions,
  fairTurns,
  lighthouse,
];
const QUICK: Sizes = {
  rounds: 1,
  issues: 5_000,
  records: [500, 5_000],
  blocks: [1_000, 10_000],
  cards: [500, 5_000],
  commits: 2_000,
  refs: 500,
  clonedBytes: 16 * MIB,
  growth: [2 * MIB, 20 * MIB],
  storeBytes: 64 * MIB,
  documents: { files: 2_000, bytes: 50 * MIB },
  sockets: 200,
  zipBytes: 64 * MIB,
  memoryBytes: [10 * MIB, 200 * MIB],
  scheduled: [10_000, 100_000],
  spread: 40_000,
  ledgers: 4,
  listed: [1_000, 10_000],
  due: 400,
};
const FULL: Sizes = {
  rounds: 5,
  issues: 10_000,
  records: [5_000, 50_000],
  blocks: [10_000, 100_000],
  cards: [5_000, 50_000],
  commits: 18_000,
  refs: 5_000,
  clonedBytes: 100 * MIB,
  growth: [10 * MIB, 100 * MIB, GIB],
  storeBytes: GIB,
  documents: { files: 20_000, bytes: GIB },
  sockets: 1_000,
  zipBytes: 2 * GIB,
  memoryBytes: [10 * MIB, 4 * GIB],
  scheduled: [10_000, 100_000, 1_000_000],
  spread: 10_000_000,
  ledgers: 16,
  listed: [1_000, 10_000, 100_000],
  due: 400,
};

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    /** The file for the results. Without it they are only printed. */
    write: { type: "string" },
    /** JSON with sizes that override the chosen ones, for a small or busy machine. */
    sizes: { type: "string", default: "{}" },
  },
});

const sizes: Sizes = { ...(values.quick ? QUICK : FULL), ...(JSON.parse(values.sizes) as Partial<Sizes>) };
const chosen = values.only?.split(",");
const folder = mkdtempSync(join(tmpdir(), "holdfast-bench-"));
const findings: Finding[] = [];
const failures: string[] = [];

try {
  const repositories = join(folder, "repositories");
  mkdirSync(repositories);
  const host = await startGitHost(repositories);
  await bundleWorker(folder);
  for (const bench of BENCHES) {
    if (chosen && !bench.id.split(" ").some((id) => chosen.includes(id))) continue;
    console.log(`${bench.id}`);
    const own = mkdtempSync(join(folder, "bench-"));
    const say = (text: string) => console.log(`  ${text}`);
    try {
      findings.push(...(await bench.run({ sizes, folder: own, bundled: folder, host, repositories, say })));
    } catch (cause) {
      failures.push(`${bench.id}: ${cause instanceof Error ? cause.message : String(cause)}`);
      console.error(cause);
    }
    rmSync(own, { recursive: true, force: true });
    writeResults();
  }
  await host.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

console.log(`\n${asTable(findings)}`);
for (const failure of failures) console.error(failure);
process.exitCode = failures.length === 0 ? 0 : 1;

/** Called after each bench, so that an interrupted run keeps its results. */
function writeResults(): void {
  if (!values.write) return;
  const machine = `${availableParallelism()} cores, Node ${process.versions.node}`;
  const sorted = findings.toSorted((a, b) => a.id.localeCompare(b.id));
  writeFileSync(values.write, asMarkdown(sorted, { machine, isQuick: values.quick }));
}
