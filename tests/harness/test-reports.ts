import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { z } from "zod";

/** One test in a report. */
export type ReportedTest = {
  title: string;
  file: string;
  /** "flaky": failed first, passed on a retry. */
  outcome: "passed" | "flaky" | "failed" | "skipped";
  /** Titles of the journey's steps that passed in the last try, in order. */
  steps: string[];
  /** Why each failed try failed: the beginning of the error, for a journey with its line. */
  failures: string[];
  /** Duration in milliseconds, of a journey that of its last try. */
  ms: number;
};

/** Duration of a test file in milliseconds. For a journey file: the sum of its tests with all retries. */
export type FileTime = { file: string; ms: number };

/** The report of one test suite. */
export type TestReport = { tests: ReportedTest[]; times: FileTime[] };

const vitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      startTime: z.number().optional(),
      endTime: z.number().optional(),
      assertionResults: z.array(
        z.object({
          title: z.string(),
          status: z.string(),
          duration: z.number().nullish(),
          failureMessages: z.array(z.string()).optional(),
        }),
      ),
    }),
  ),
});

type Step = { title: string; error?: unknown; steps?: Step[] | undefined };
const step: z.ZodType<Step> = z.lazy(() =>
  z.object({ title: z.string(), error: z.unknown().optional(), steps: z.array(step).optional() }),
);
const reportedError = z.object({
  message: z.string().optional(),
  location: z.object({ line: z.number() }).optional(),
});
const spec = z.object({
  title: z.string(),
  file: z.string(),
  ok: z.boolean(),
  tests: z.array(
    z.object({
      status: z.string(),
      results: z
        .array(
          z.object({
            duration: z.number(),
            steps: z.array(step).optional(),
            errors: z.array(reportedError).optional(),
          }),
        )
        .optional(),
    }),
  ),
});

type PlaywrightSuite = { suites?: PlaywrightSuite[] | undefined; specs: z.infer<typeof spec>[] };
const playwrightSuite: z.ZodType<PlaywrightSuite> = z.lazy(() =>
  z.object({ suites: z.array(playwrightSuite).optional(), specs: z.array(spec) }),
);
const playwrightReport = z.object({
  config: z.object({ rootDir: z.string() }),
  suites: z.array(playwrightSuite),
  errors: z.array(z.object({ message: z.string().optional() })),
});

/**
 * Reads a vitest or Playwright JSON report. A file that failed before its first test counts as one failed test, so that
 * a broken import never looks like success.
 * @throws ZodError when the text is not such a report
 */
export function readTestReport(text: string, root: string): TestReport {
  const json: unknown = JSON.parse(text);
  const vitest = vitestReport.safeParse(json);
  if (vitest.success) return readVitest(vitest.data, root);
  const { config, suites, errors } = playwrightReport.parse(json);
  const folder = relative(root, config.rootDir);
  const specs = suites.flatMap(specsIn).map((each) => ({ ...each, file: `${folder}/${each.file}` }));
  const broken = errors.map(({ message }) => ({
    title: (message ?? "The journeys could not be run.").split("\n")[0] ?? "",
    file: folder,
    outcome: "failed" as const,
    steps: [],
    failures: [beginningOf(message ?? "")],
    ms: 0,
  }));
  const spent = new Map<string, number>();
  for (const { file, tests } of specs) {
    const ms = tests.flatMap(({ results = [] }) => results).reduce((sum, { duration }) => sum + duration, 0);
    spent.set(file, (spent.get(file) ?? 0) + ms);
  }
  return {
    tests: [...specs.map(readSpec), ...broken],
    times: [...spent].map(([file, ms]) => ({ file, ms })),
  };
}

function readVitest({ testResults }: z.infer<typeof vitestReport>, root: string): TestReport {
  const nameOf = (file: string) => (file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file);
  return {
    tests: testResults.flatMap((result) => {
      const file = nameOf(result.name);
      const tests = result.assertionResults.map(
        ({ title, status, duration, failureMessages = [] }): ReportedTest => {
          const outcome = status === "passed" || status === "failed" ? status : "skipped";
          const failures = failureMessages.map(beginningOf);
          return { title, file, outcome, steps: [], failures, ms: duration ?? 0 };
        },
      );
      const isBroken = result.status === "failed" && !tests.some(({ outcome }) => outcome === "failed");
      const broken: ReportedTest = {
        title: "the file could not be run",
        file,
        outcome: "failed",
        steps: [],
        failures: [beginningOf(result.message ?? "")],
        ms: 0,
      };
      return isBroken ? [...tests, broken] : tests;
    }),
    times: testResults.map(({ name, startTime = 0, endTime = 0 }) => ({
      file: nameOf(name),
      ms: endTime - startTime,
    })),
  };
}

function specsIn({ specs, suites = [] }: PlaywrightSuite): z.infer<typeof spec>[] {
  return [...specs, ...suites.flatMap(specsIn)];
}

function readSpec({ title, file, ok, tests }: z.infer<typeof spec>): ReportedTest {
  const is = (status: string) => tests.some((test) => test.status === status);
  const isSkipped = tests.every((test) => test.status === "skipped");
  const outcome = isSkipped ? "skipped" : !ok ? "failed" : is("flaky") ? "flaky" : "passed";
  const last = tests.flatMap(({ results = [] }) => results.slice(-1));
  const failures = tests.flatMap(({ results = [] }) =>
    results.flatMap(({ errors = [] }) =>
      errors.map(({ message = "", location }) => `line ${location?.line ?? "?"}: ${beginningOf(message)}`),
    ),
  );
  const steps = last.flatMap(({ steps: done = [] }) => stepsDone(done));
  return { title, file, outcome, steps, failures, ms: last.reduce((sum, { duration }) => sum + duration, 0) };
}

/** The first lines that say something, without the colours of a terminal. */
function beginningOf(message: string): string {
  const lines = stripVTControlCharacters(message).split("\n");
  const text = lines.map((line) => line.trim().slice(0, 200)).filter((line) => line !== "");
  return text.slice(0, 12).join(" · ");
}

function stepsDone(steps: readonly Step[]): string[] {
  return steps.flatMap(({ title, error, steps: inner = [] }) => [
    ...(error === undefined ? [title] : []),
    ...stepsDone(inner),
  ]);
}
