import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readTestReport, type TestReport } from "#tests/harness/test-reports.ts";
import { ROOT } from "#workers/commands/tools.ts";
import { type Coverage, collectCoverage, readRequirements } from "./render-coverage.ts";

/** The suites of a whole run. */
export const SUITES = ["unit", "worker", "journeys", "sixth-platform"] as const;
export type Suite = (typeof SUITES)[number];

/** The page that `npm run coverage:spec` writes. */
export const COVERAGE_PAGE = join(ROOT, "tests/COVERAGE.md");

/** The report file of a suite. */
export const reportFile = (suite: Suite) => join(ROOT, "tests/.output", `${suite}.json`);

/** The report of a suite's last run. Null when there is none. @throws ZodError when it is not a report */
export function readSuite(suite: Suite): TestReport | null {
  const file = reportFile(suite);
  return existsSync(file) ? readTestReport(readFileSync(file, "utf8"), ROOT) : null;
}

/** The coverage of the given reports. */
export function coverageOf(reports: readonly TestReport[]): Coverage {
  const requirements = readRequirements(readFileSync(join(ROOT, "tests/spec/requirements.tsv"), "utf8"));
  return collectCoverage(
    requirements,
    reports.flatMap(({ tests }) => tests),
  );
}
