import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { type ReportedTest, readTestReport } from "#tests/harness/test-reports.ts";
import { collectCoverage, idsIn, readRequirements, renderCoverage } from "./render-coverage.ts";

const rows = readRequirements(
  "id\tpart\tarea\trequirement\tcheck\nA-001\t1\tzip\tA | B\tHTTP\nA-002\t1\tzip\tC\tHTTP\nP-001\t2\tlive\tD\tHTTP\n",
);
const proof = (title: string, outcome: ReportedTest["outcome"] = "passed"): ReportedTest => ({
  title,
  file: "a.test.ts",
  outcome,
});

test("the checklist has 1,244 rows with ids of their own", () => {
  const all = readRequirements(readFileSync(path.join(import.meta.dirname, "requirements.tsv"), "utf8"));
  expect(all).toHaveLength(1244);
  expect(new Set(all.map((row) => row.id)).size).toBe(1244);
  expect(all.every((row) => /^[ABP]-\d{3}$/.test(row.id) && row.area !== "" && row.text !== "")).toBe(true);
});

test("a title may claim several ids, and text that only looks like one claims nothing", () => {
  expect(idsIn("[A-018] [P-213, P-215] once a day")).toEqual(["A-018", "P-213", "P-215"]);
  expect(idsIn("P-213 without brackets, [note], [P-21], [XP-2133]")).toEqual([]);
});

test("only passed tests prove, a failed one refutes, and an unknown id is named", () => {
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

test("the page tells proved and open rows, area by area", () => {
  const page = renderCoverage(collectCoverage(rows, [proof("[A-001] gives | back")]));
  expect(page).toContain("1 of 3 requirements are proved by a test.");
  expect(page).toContain("| zip | 1 | 2 |");
  expect(page).toContain("| A-001 | A \\| B | gives \\| back (`a.test.ts`) |");
  expect(page).toContain("- zip: A-002");
  expect(page).toContain("- live: P-001");
});

test("a file that broke before its first test counts as a failure", () => {
  const report = {
    testResults: [
      { name: "/r/a.test.ts", status: "passed", assertionResults: [{ title: "fine", status: "passed" }] },
      { name: "/r/b.test.ts", status: "failed", message: "SyntaxError", assertionResults: [] },
    ],
  };
  expect(readTestReport(JSON.stringify(report), "/r").map(({ file, outcome }) => [file, outcome])).toEqual([
    ["a.test.ts", "passed"],
    ["b.test.ts", "failed"],
  ]);
});

test("a browser report is read through nested suites, and its own errors are failures", () => {
  const spec = (title: string, ok: boolean, status: string) => ({
    title,
    file: "b.journey.ts",
    ok,
    tests: [{ status }],
  });
  const report = {
    suites: [
      {
        specs: [spec("one", true, "expected")],
        suites: [{ specs: [spec("two", false, "unexpected"), spec("three", true, "skipped")] }],
      },
    ],
    errors: [{ message: "no tests found\nat …" }],
  };
  expect(readTestReport(JSON.stringify(report), "/r").map(({ title, outcome }) => [title, outcome])).toEqual([
    ["one", "passed"],
    ["two", "failed"],
    ["three", "skipped"],
    ["no tests found", "failed"],
  ]);
});

test("what is no report is refused", () => {
  expect(() => readTestReport("{}", "/r")).toThrow();
});
