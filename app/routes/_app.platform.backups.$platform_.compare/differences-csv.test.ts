import { expect, test } from "vitest";
import type { Comparison } from "#core/comparisons/views.ts";
import { differencesCsv } from "./differences-csv.ts";

const side = { snapshotId: "snp_1", takenAt: 0, sizeBytes: 0 };
const branch = (name: string, change: "added" | "changed" | "removed") => ({
  ...{ name, label: name, kind: "branch" as const, isDefault: false, change, before: null, after: null },
  ...{ isRewritten: null, gained: null, lost: null, against: null },
});
const record = (title: string) => ({
  ...{ path: "a", kind: "issue", title, change: "changed" as const, type: "record" as const },
});
const part = (title: string) => ({
  ...{ partId: "1", path: "a", key: "#1", title, change: "added" as const, place: null, what: [] },
});
const comparison: Comparison = {
  before: side,
  after: side,
  parts: {},
  isCut: false,
  views: [
    {
      ...{ kind: "files", id: "git", label: "Files", isCloned: true },
      tree: { obstacle: null, refs: [branch("main", "changed")], refCount: 3 },
    },
    {
      ...{ kind: "thread", id: "issues", label: "Issues" },
      parts: { added: 1, changed: 0, removed: 1, rows: [part("Late")] },
    },
  ],
  kinds: [
    {
      ...{ kind: "issue", one: "issue", many: "issues", added: 0, changed: 3, removed: 0 },
      rows: [record('Say "no", twice'), record("=HYPERLINK(1)"), record("two\nlines")],
    },
  ],
};

test("every listed difference is a line, the rest is counted, and no name is a formula or breaks its cell", () => {
  expect(differencesCsv(comparison)).toBe(
    [
      "part,change,name",
      "Files,changed,main",
      "Files,not listed,2 more",
      "Issues,added,Late",
      "Issues,not listed,1 more",
      'issue,changed,"Say ""no"", twice"',
      "issue,changed,'=HYPERLINK(1)",
      'issue,changed,"two\nlines"',
      "",
    ].join("\r\n"),
  );
});
