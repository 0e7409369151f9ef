import { expect, test } from "vitest";
import type { Coverage } from "#connectors/contract/coverage.ts";
import { renderScreen, textOf } from "#tests/harness/render-screen.tsx";
import { CoveragePage } from "./coverage-page.tsx";
import { coveredThings } from "./covered-things.server.ts";

const coverage: Coverage = [
  {
    name: "Issues",
    schema: "issue",
    restored: "title state_reason",
    kept: [{ fields: "closedBy", because: "Nobody closes it again." }],
    left: [
      { fields: "url events_url", because: "They are addresses." },
      { fields: "score", because: "It changes by itself." },
    ],
  },
  { name: "Labels", schema: "label", restored: "name" },
];

const page = () =>
  renderScreen(<CoveragePage platform="github" label="GitHub" things={coveredThings(coverage)} />);

test("the page says of every field what becomes of it, in words, and why it does not come back", () => {
  const text = textOf(page());
  expect(text).toContain("What is covered");
  expect(text).toContain("Kept and restored title, state reason");
  expect(text).toContain("Kept closed by Nobody closes it again.");
  expect(text).toContain("Not kept url, events url They are addresses.");
  expect(text).toContain("Not kept score It changes by itself.");
});

test("the page counts the fields of each thing and of all together, and leaves out zeros", () => {
  const text = textOf(page());
  expect(text).toContain("What GitHub has 3 restored · 1 kept · 3 not kept");
  expect(text).toContain("Issues 2 restored · 1 kept · 3 not kept");
  expect(text).toContain("Labels 1 restored Kept and restored name");
});
