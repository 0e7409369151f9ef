/** `npm run coverage:spec`: writes tests/COVERAGE.md from the reports that the last `npm test` left. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readTestReport } from "#tests/harness/test-reports.ts";
import { ROOT } from "#workers/commands/tools.ts";
import { collectCoverage, readRequirements, renderCoverage } from "./render-coverage.ts";

const REPORTS = ["unit", "worker", "journeys"].map((name) => join(ROOT, `tests/.output/${name}.json`));

const missing = REPORTS.filter((file) => !existsSync(file));
if (missing.length > 0) {
  console.error(`Run npm test first; there is no ${missing.join(", no ")}.`);
  process.exit(1);
}
const tests = REPORTS.flatMap((file) => readTestReport(readFileSync(file, "utf8"), ROOT));
const requirements = readRequirements(readFileSync(join(ROOT, "tests/spec/requirements.tsv"), "utf8"));
const coverage = collectCoverage(requirements, tests);
writeFileSync(join(ROOT, "tests/COVERAGE.md"), renderCoverage(coverage));
console.log(`${coverage.proofs.size} of ${requirements.length} requirements are proved.`);
if (coverage.unknownIds.length > 0) {
  console.error(`Tests claim requirements that do not exist: ${coverage.unknownIds.join(", ")}`);
  process.exitCode = 1;
}
