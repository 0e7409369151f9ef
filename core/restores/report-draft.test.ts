import { expect, test } from "vitest";
import { reportDraft } from "./report-draft.ts";
import { outcomeOf, restoreReport } from "./restore-report.schema.ts";

const ITEM = {
  externalId: "7",
  name: "api",
  fullName: "octo/api",
  webUrl: "https://x.example/api",
};
const refused = (at: number) => ({ type: "missing", what: `Issue ${at}`, reason: "Refused." }) as const;

test("a report sums up restored counts and keeps the order of each list", () => {
  const draft = reportDraft();
  draft.add({ type: "restored", kind: "issue", count: 2 });
  draft.add({ type: "restored", kind: "issue", count: 3 });
  draft.add(refused(1));
  draft.add({ type: "changed", what: "HEAD", reason: "It points to main." });
  draft.add({ type: "mapped", kind: "issue", from: "#1", to: "#2", url: null });
  draft.add({ type: "compared", what: "branches are the same", same: 2, all: 3 });
  expect(draft.finish(ITEM, { issue: 6 })).toEqual({
    item: { externalId: "7", name: "api", fullName: "octo/api", webUrl: "https://x.example/api" },
    restored: { issue: 5 },
    held: { issue: 6 },
    compared: [{ what: "branches are the same", same: 2, all: 3 }],
    changed: [{ what: "HEAD", reason: "It points to main." }],
    impossible: [],
    missing: [{ what: "Issue 1", reason: "Refused." }],
    mapped: [{ kind: "issue", from: "#1", to: "#2", url: null }],
    mappedCount: 1,
  });
});

test("lines that do not fit become one last line, with those that a connector dropped", () => {
  const draft = reportDraft();
  for (let at = 1; at <= 503; at++) {
    draft.add(refused(at));
    draft.add({ type: "mapped", kind: "issue", from: `#${at}`, to: `#${at + 1}`, url: null });
  }
  for (const list of ["missing", "impossible", "mapped"] as const)
    draft.add({ type: "unlisted", list, count: 40 });
  const report = draft.finish(ITEM);
  expect(report.missing).toHaveLength(501);
  expect(report.missing.slice(-2)).toEqual([
    { what: "Issue 500", reason: "Refused." },
    { what: "43 more", reason: "The report has no room for them." },
  ]);
  expect(report.impossible).toEqual([{ what: "40 more", reason: "The report has no room for them." }]);
  expect(report.changed).toEqual([]);
  expect([report.mapped.length, report.mappedCount]).toEqual([500, 543]);
  expect(outcomeOf(report)).toEqual({ missing: 501, notes: 1 });
});

test("a report of the longest lines fits into a row, and the first dropped line also marks the restore incomplete", () => {
  const draft = reportDraft();
  const what = "\u{1F69A}".repeat(4_096);
  for (let at = 0; at < 600; at++) {
    for (const type of ["changed", "impossible", "missing"] as const)
      draft.add({ type, what, reason: "No." });
    draft.add({ type: "mapped", kind: "card", from: what, to: "1", url: null });
  }
  const report = draft.finish(ITEM);
  expect(Buffer.byteLength(JSON.stringify(restoreReport.write(report)))).toBeLessThan(1_500_000);
  expect(report.mappedCount).toBe(600);
  expect(report.changed.at(-1)?.what).toBe(`${600 - report.changed.length + 1} more`);

  const short = reportDraft();
  short.add({ type: "missing", what: what.repeat(20), reason: "No." });
  expect(short.finish(ITEM).missing).toEqual([
    { what: "1 more", reason: "The report has no room for them." },
  ]);
});
