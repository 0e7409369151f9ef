import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { type ReportedTest, readTestReport } from "#tests/harness/test-reports.ts";
import {
  collectCoverage,
  differencesFrom,
  faultsOfClaims,
  idsIn,
  readRequirements,
  renderCoverage,
} from "./render-coverage.ts";

const rows = readRequirements(
  "id\tpart\tarea\trequirement\tcheck\nA-001\t1\tzip\tA | B\tHTTP\nA-002\t1\tzip\tC\tHTTP\nP-001\t2\tlive\tD\tHTTP\n",
);
const proof = (
  title: string,
  outcome: ReportedTest["outcome"] = "passed",
  steps: string[] = [],
): ReportedTest => ({ title, file: "a.test.ts", outcome, steps, failures: [], ms: 0 });

test("the checklist has 1,244 rows with unique ids", () => {
  const all = readRequirements(readFileSync(path.join(import.meta.dirname, "requirements.tsv"), "utf8"));
  expect(all).toHaveLength(1244);
  expect(new Set(all.map((row) => row.id)).size).toBe(1244);
  expect(all.every((row) => /^[ABP]-\d{3}$/.test(row.id) && row.area !== "" && row.text !== "")).toBe(true);
});

test("a title may claim several ids, and text that only resembles one claims nothing", () => {
  expect(idsIn("[A-018] [P-213, P-215] once a day")).toEqual(["A-018", "P-213", "P-215"]);
  expect(idsIn("P-213 without brackets, [note], [P-21], [XP-2133]")).toEqual([]);
});

test("only passed tests prove, a failed one refutes, and an unknown id is reported", () => {
  const coverage = collectCoverage(rows, [
    proof("[A-001] works"),
    proof("[A-002] works"),
    proof("[A-002] works elsewhere", "failed"),
    proof("[P-001] some day", "skipped"),
    proof("[Z-999] what is this"),
  ]);
  expect([...coverage.proofs.keys()]).toEqual(["A-001"]);
  expect(coverage.unknownIds).toEqual(["Z-999"]);
});

test("the page lists proved and open rows by area", () => {
  const page = renderCoverage(collectCoverage(rows, [proof("[A-001] gives | back")]));
  expect(page).toContain("1 of 3 requirements are proved by a test.");
  expect(page).toContain("| zip | 1 | 2 |");
  expect(page).toContain("| A-001 | A \\| B | gives \\| back (`a.test.ts`) |");
  expect(page).toContain("- zip: A-002");
  expect(page).toContain("- live: P-001");
});

test("a step proves its own ids if its test passed, and a failed test refutes those of its steps", () => {
  const step = "[A-002] after a reload too";
  const { proofs } = collectCoverage(rows, [proof("[A-001] works", "passed", [step])]);
  expect(proofs.get("A-002")).toEqual([{ title: step, file: "a.test.ts" }]);
  const failed = collectCoverage(rows, [proof("[A-002] works"), proof("[A-001] works", "failed", [step])]);
  expect([...failed.proofs.keys()]).toEqual([]);
});

test("a title with more than eight ids is a fault, and so is an id that does not exist", () => {
  const ids = Array.from({ length: 9 }, (_, index) => `A-00${index + 1}`);
  const faults = (title: string, steps: string[] = []) =>
    faultsOfClaims(collectCoverage(rows, [proof(title, "passed", steps)]));
  expect(faults(`[${ids.slice(0, 2).join(", ")}] two`)).toEqual([]);
  expect(faults(`[${ids.join(", ")}] nine`)).toContain(
    `A title may claim 8 requirements at most: [${ids.join(", ")}] nine (a.test.ts)`,
  );
  expect(faults("fine", [`[${ids.join("] [")}] nine`])).toHaveLength(2);
  expect(faults("[Z-999] what is this")).toEqual(["Tests claim requirements that do not exist: Z-999"]);
});

test("proved ids are compared with the page, except those of flaky or skipped tests", () => {
  const page = renderCoverage(collectCoverage(rows, [proof("[A-001] [A-002] works")]));
  const differences = (...tests: ReportedTest[]) => differencesFrom(page, collectCoverage(rows, tests));
  expect(differences(proof("[A-001] [A-002] works"))).toEqual([]);
  expect(differences(proof("[A-001] works"), proof("[P-001] too"))).toEqual([
    "The coverage file has these, and no test proves them now: A-002",
    "Tests prove these, and the coverage file does not have them: P-001",
  ]);
  expect(differences(proof("[A-001] works"), proof("[A-002] works", "failed"))).toHaveLength(1);
  expect(differences(proof("[A-001] works"), proof("[A-002] works", "skipped"))).toEqual([]);
  expect(differences(proof("[A-001] [A-002] works"), proof("[P-001] works", "flaky"))).toEqual([]);
});

test("a file that failed before its first test counts as a failure", () => {
  const report = {
    testResults: [
      {
        name: "/r/a.test.ts",
        status: "passed",
        startTime: 1_000,
        endTime: 3_500,
        assertionResults: [{ title: "fine", status: "passed" }],
      },
      {
        name: "/r/b.test.ts",
        status: "failed",
        assertionResults: [
          { title: "wrong", status: "failed", failureMessages: ["1 is not 2\n  at b.test.ts:3"] },
        ],
      },
      { name: "/r/c.test.ts", status: "failed", message: "SyntaxError", assertionResults: [] },
    ],
  };
  const { tests, times } = readTestReport(JSON.stringify(report), "/r");
  expect(tests.map(({ file, outcome, failures }) => [file, outcome, ...failures])).toEqual([
    ["a.test.ts", "passed"],
    ["b.test.ts", "failed", "1 is not 2 · at b.test.ts:3"],
    ["c.test.ts", "failed", "SyntaxError"],
  ]);
  expect(times[0]).toEqual({ file: "a.test.ts", ms: 2_500 });
});

test("a browser report is read through nested suites; a retry is not a clean pass, and its errors are failures", () => {
  const spec = (title: string, ok: boolean, status: string, results: object[] = []) => ({
    title,
    file: "b.journey.ts",
    ok,
    tests: [{ status, results }],
  });
  const steps = [
    { title: "outer", steps: [{ title: "[A-001] inner" }, { title: "broken", error: { message: "no" } }] },
  ];
  const report = {
    config: { rootDir: "/r/tests/journeys" },
    suites: [
      {
        specs: [spec("one", true, "expected", [{ duration: 5, steps }])],
        suites: [
          {
            specs: [
              spec("two", false, "unexpected"),
              spec("three", true, "skipped"),
              spec("four", true, "flaky", [
                {
                  duration: 3,
                  steps: [{ title: "first try" }],
                  errors: [{ message: "\u001b[31mno button\u001b[39m\n\n  in time", location: { line: 7 } }],
                },
                { duration: 4 },
              ]),
            ],
          },
        ],
      },
    ],
    errors: [{ message: "no tests found\nat …" }],
  };
  const { tests, times } = readTestReport(JSON.stringify(report), "/r");
  expect(tests.map(({ title, outcome, steps }) => [title, outcome, steps])).toEqual([
    ["one", "passed", ["outer", "[A-001] inner"]],
    ["two", "failed", []],
    ["three", "skipped", []],
    ["four", "flaky", []],
    ["no tests found", "failed", []],
  ]);
  expect(tests.flatMap(({ failures }) => failures)).toEqual([
    "line 7: no button · in time",
    "no tests found · at …",
  ]);
  expect(times).toEqual([{ file: "tests/journeys/b.journey.ts", ms: 12 }]);
});

test("an invalid report is refused", () => {
  expect(() => readTestReport("{}", "/r")).toThrow();
});
