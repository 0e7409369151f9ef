import { expect, test } from "vitest";
import { countText } from "#app/format/counts.ts";
import { spanText } from "#app/format/duration.ts";
import type { RibbonDay } from "#core/inventory/views.ts";
import { bracketOf, twinText } from "./picks.ts";
import { sectionsOf, tabsOf } from "./sections.ts";

const DAY = 86_400_000;
const AT = Date.parse("2026-11-20T02:14:07Z");
const ribbon: RibbonDay[] = Array.from({ length: 10 }, (_, at) => ({
  date: new Date(AT - (9 - at) * DAY).toISOString().slice(0, 10),
  state: "good",
  versions: 1,
  isRestored: false,
}));
const version = (snapshotId: string, takenAt: number) => ({
  snapshotId,
  takenAt,
  sizeBytes: 1,
  verify: null,
  keptUntil: null,
});
const versions = [version("c", AT), version("b", AT - 2 * DAY), version("a", AT - 4 * DAY - 3_600_000)];

test("the bracket on the ribbon joins the two days, in either order, and says what lies between them", () => {
  const [newer, , older] = versions as [Version, Version, Version];
  const span = spanText(4 * DAY + 3_600_000);
  expect(span.replaceAll("\u00a0", " ")).toBe("4 d 1 h");
  const bracket = bracketOf(ribbon, versions, [older, newer], "UTC");
  expect(bracket).toEqual({
    days: ["2026-11-16", "2026-11-20"],
    left: 50,
    width: 50,
    text: `${span}, ${countText(3, "version", "versions")}`,
  });
  expect(bracketOf(ribbon, versions, [newer, older], "UTC")).toEqual(bracket);
  expect(bracketOf(ribbon, versions, [version("z", AT - 30 * DAY), newer], "UTC")).toBeNull();
  expect(bracketOf(ribbon, [], [older, newer], "UTC")?.text).toBe(span);
});
type Version = (typeof versions)[number];

test("a version names the other ones of its minute", () => {
  const clock = (at: number) => `at ${at - AT}`;
  const twin = version("d", AT + 34_000);
  expect(twinText(versions[0]!, versions, clock)).toBeNull();
  expect(twinText(versions[0]!, [twin, ...versions], clock)).toContain("at 34000");
  expect(twinText(versions[0]!, [version("e", AT + 40_000), twin, ...versions], clock)).toContain(
    "at 34000, at 40000",
  );
});

test("each view and kind with differences is a tab with its count; a single one has none", () => {
  const tally = { added: 1, changed: 2, removed: 0 };
  const kind = { kind: "label", one: "label", many: "labels", ...tally, rows: [] };
  const tree = { obstacle: null, refs: [], refCount: 5 };
  const one = { one: "one", many: "ones" };
  const comparison = {
    views: [
      { id: "git", label: "Code", kind: "files" as const, tree, isCloned: true },
      {
        id: "board",
        label: "Board",
        kind: "board" as const,
        words: { card: one, column: one, people: "people", away: "away" },
        columns: { ...tally, rows: [] },
        parts: { ...tally, rows: [] },
      },
    ],
    kinds: [kind],
  };
  expect(tabsOf(sectionsOf(comparison)).map(({ label, count }) => [label, count])).toEqual([
    ["All", 14],
    ["Code", 5],
    ["Board", 6],
    ["Labels", 3],
  ]);
  expect(tabsOf(sectionsOf({ views: [], kinds: [kind] }))).toEqual([]);
});
