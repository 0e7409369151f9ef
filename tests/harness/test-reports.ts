import { z } from "zod";

/** One test as a report tells it. */
export type ReportedTest = { title: string; file: string; outcome: "passed" | "failed" | "skipped" };

const vitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(z.object({ title: z.string(), status: z.string() })),
    }),
  ),
});

type PlaywrightSuite = {
  file?: string | undefined;
  suites?: PlaywrightSuite[] | undefined;
  specs: { title: string; file: string; ok: boolean; tests: { status: string }[] }[];
};
const playwrightSuite: z.ZodType<PlaywrightSuite> = z.lazy(() =>
  z.object({
    file: z.string().optional(),
    suites: z.array(playwrightSuite).optional(),
    specs: z.array(
      z.object({
        title: z.string(),
        file: z.string(),
        ok: z.boolean(),
        tests: z.array(z.object({ status: z.string() })),
      }),
    ),
  }),
);
const playwrightReport = z.object({
  suites: z.array(playwrightSuite),
  errors: z.array(z.object({ message: z.string().optional() })),
});

/**
 * The tests of a vitest or Playwright JSON report. A file that failed before its first test counts as one failed
 * test, so that a broken import can never look like success.
 * @throws ZodError when the text is no such report
 */
export function readTestReport(text: string, root: string): ReportedTest[] {
  const json: unknown = JSON.parse(text);
  const vitest = vitestReport.safeParse(json);
  if (vitest.success) return vitest.data.testResults.flatMap((file) => fromVitest(file, root));
  const { suites, errors } = playwrightReport.parse(json);
  const broken = errors.map(
    ({ message }): ReportedTest => ({
      title: (message ?? "The journeys could not be run.").split("\n")[0] ?? "",
      file: "tests/journeys",
      outcome: "failed",
    }),
  );
  return [...suites.flatMap(fromPlaywright), ...broken];
}

function fromVitest(file: z.infer<typeof vitestReport>["testResults"][number], root: string): ReportedTest[] {
  const name = file.name.startsWith(`${root}/`) ? file.name.slice(root.length + 1) : file.name;
  const tests = file.assertionResults.map(({ title, status }): ReportedTest => {
    const outcome = status === "passed" || status === "failed" ? status : "skipped";
    return { title, file: name, outcome };
  });
  const isBroken = file.status === "failed" && !tests.some((test) => test.outcome === "failed");
  return isBroken ? [...tests, { title: "the file could not be run", file: name, outcome: "failed" }] : tests;
}

function fromPlaywright(suite: PlaywrightSuite): ReportedTest[] {
  const own = suite.specs.map((spec): ReportedTest => {
    const isSkipped = spec.tests.every((test) => test.status === "skipped");
    const outcome = isSkipped ? "skipped" : spec.ok ? "passed" : "failed";
    return { title: spec.title, file: `tests/journeys/${spec.file}`, outcome };
  });
  return [...own, ...(suite.suites ?? []).flatMap(fromPlaywright)];
}
