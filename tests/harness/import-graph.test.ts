import { expect, test } from "vitest";
import { importsOf } from "./import-graph.ts";

test("what a file loads is found: imports, theirs in turn, and files named by their URL", () => {
  const loaded = importsOf("tests/harness/import-graph.test.ts");
  expect(loaded.get("tests/harness/import-graph.test.ts")).toBe(0);
  expect(loaded.get("tests/harness/import-graph.ts")).toBe(1);
  expect(loaded.get("workers/commands/tools.ts")).toBe(2);
  const simulator = "connectors/platforms/jira/simulator";
  expect(importsOf(`${simulator}/adf.ts`).get(`${simulator}/adf-schema.json`)).toBe(1);
});

test("a type import loads nothing", () => {
  expect([...importsOf("tests/rotation/rotation.ts").keys()]).not.toContain("tests/harness/test-reports.ts");
});
