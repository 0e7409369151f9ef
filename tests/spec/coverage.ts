/** `npm run coverage:spec`: writes tests/COVERAGE.md from the reports that the last `npm test -- --all` left. */
import { writeFileSync } from "node:fs";
import { waitedLast } from "#tests/rotation/waiting.ts";
import { COVERAGE_PAGE, coverageOf, readSuite, SUITES } from "./read-coverage.ts";
import { faultsOfClaims, renderCoverage } from "./render-coverage.ts";

const reports = SUITES.map((suite) => {
  const report = readSuite(suite);
  if (report) return report;
  console.error(`Run npm test -- --all first: the suite ${suite} has left no report.`);
  return process.exit(1);
});
if (waitedLast().size > 0) {
  console.error("Run npm test -- --all first: in the last run long tests waited for their turn.");
  process.exit(1);
}
const coverage = coverageOf(reports);
writeFileSync(COVERAGE_PAGE, renderCoverage(coverage));
console.log(`${coverage.proofs.size} of ${coverage.requirements.length} requirements are proved.`);
const faults = faultsOfClaims(coverage);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
