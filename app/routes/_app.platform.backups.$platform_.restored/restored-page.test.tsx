import { expect, test } from "vitest";
import type { RestoreView } from "#core/restores/views.ts";
import { renderScreen, textOf } from "#tests/harness/render-screen.tsx";
import { movedCsv } from "./moved-csv.ts";
import { RestoredPage } from "./restored-page.tsx";
import { factCards, movedThings, noteLines, restoredRows, searchMoved, verdictOf } from "./restored-view.ts";

const finishedAt = Date.parse("2026-11-20T13:33:00Z");
const report: RestoreView["report"] = {
  restored: { "pull-request": 2, issue: 980, label: 0, branch: 1 },
  held: { "pull-request": 2, issue: 982, label: 0, branch: 1 },
  compared: [{ what: "branches and tags have the same commits", same: 1, all: 1 }],
  changed: [
    { what: "Dates of issues", reason: "GitHub sets them." },
    { what: "7 more", reason: "The report has no room for them." },
  ],
  impossible: [{ what: "2 projects", reason: "They belong to the account." }],
  missing: [],
  mapped: [
    { kind: "pull-request", from: "#1196", to: "#1197", url: "https://github.example/1197" },
    { kind: "issue", from: "#12", to: "#13", url: null },
  ],
  mappedCount: 2,
};
const restore: RestoreView = {
  runId: "run_1",
  item: { id: "itm_1", name: "carrier-sync", kind: "repository", platform: "github", connectionId: "con_1" },
  by: "Nora Lindqvist",
  startedAt: finishedAt - 552_000,
  finishedAt,
  takenAt: Date.parse("2026-11-20T01:14:07Z"),
  part: null,
  target: {
    kind: "new",
    into: null,
    name: "meridian-freight/carrier-sync_restored",
    url: "https://github.example/meridian-freight/carrier-sync_restored",
  },
  report,
  counts: { changed: 8, impossible: 1, missing: 0 },
  words: [
    { kind: "branch", one: "branch", many: "branches" },
    { kind: "issue", one: "issue", many: "issues" },
    { kind: "pull-request", one: "pull request", many: "pull requests" },
    { kind: "label", one: "label", many: "labels" },
  ],
};

test("the cards add up, and one without anything to count is left out", () => {
  expect(factCards(restore, "GitHub").map(({ name, value, note }) => `${name}: ${value} ${note}`)).toEqual([
    "Came back: 983 of 985 things of 3\u00a0kinds",
    "In another form: 8 Dates of issues, and 7 more",
    "Impossible at GitHub: 1 2 projects",
    "Read back and compared: 1 of 1 branches and tags have the same commits",
  ]);
  const rows = restoredRows(restore);
  expect(rows.map(({ name, held, count }) => `${name} ${held} ${count}`)).toEqual([
    "Branch 1 1",
    "Issues 982 980",
    "Pull requests 2 2",
  ]);
});

test("a card about one list that is too long counts what the report has no room for", () => {
  const empty = { ...report, restored: {}, held: {}, compared: [], changed: [], impossible: [] };
  const missing = Array.from({ length: 500 }, (_, at) => ({ what: `Issue #${at}`, reason: "Refused." }));
  const counts = { changed: 0, impossible: 0, missing: 700 };
  const cards = factCards({ report: { ...empty, missing }, counts }, "GitHub");
  expect(cards.map(({ name, value }) => [name, value])).toEqual([["Missing", "700"]]);
});

test("the table says how much of each kind the version holds and how much came back", () => {
  const text = textOf(page());
  expect(text).toContain(
    "Kind In the version Restored State Branch 1 1 All Issues 982 980 980 of 982 Pull requests 2 2 All",
  );
});

test("a report of an earlier release, which does not know what the version held, leaves the columns out", () => {
  const older = { ...report, held: {}, compared: [] };
  const text = textOf(page({ report: older }));
  expect(text).toContain("Kind Restored Branch 1 Issues 980 Pull requests 2");
  expect(text).toContain("Came back 983 things");
  expect(text).not.toMatch(/In the version|Read back/);
});

test("a restore is complete whatever its notes, and incomplete when something is missing", () => {
  const verdict = (changed: number, impossible: number, missing: number) =>
    verdictOf({ counts: { changed, impossible, missing } });
  expect(verdict(0, 0, 0)).toEqual({ isComplete: true, text: "Restored" });
  expect(verdict(1, 0, 0)).toEqual({ isComplete: true, text: "Restored, with 1\u00a0note" });
  expect(verdict(1, 2, 0)).toEqual({ isComplete: true, text: "Restored, with 3\u00a0notes" });
  expect(verdict(1, 2, 4)).toEqual({ isComplete: false, text: "Restored, 4 missing" });
});

test("notes begin with what is missing", () => {
  const lines = noteLines({ report: { ...report, missing: [{ what: "main", reason: "Refused." }] } });
  expect(lines.map(({ mark }) => mark)).toEqual(["missing", "changed", "changed", "impossible"]);
});

test("moved things are found by old or new number and by kind", () => {
  const things = movedThings(restore);
  const found = (text: string) => searchMoved(things, text).map(({ from }) => from);
  expect(found("")).toEqual(["#1196", "#12"]);
  expect(found("1197")).toEqual(["#1196"]);
  expect(found("#12")).toEqual(["#12"]);
  expect(found("  PULL 1196 ")).toEqual(["#1196"]);
  expect(found("pull 13")).toEqual([]);
});

test("every moved thing is a line of the CSV, the rest is counted, and nothing in it is a formula", () => {
  const evil = { kind: "Page", from: "=HYPERLINK(1)", to: 'a "b", c', url: null };
  expect(movedCsv([...movedThings(restore), evil], 1_241)).toBe(
    [
      "kind,was,is now,address",
      "Pull request,#1196,#1197,https://github.example/1197",
      "Issue,#12,#13,",
      `Page,'=HYPERLINK(1),"a ""b"", c",`,
      "not listed,1238 more,,",
      "",
    ].join("\r\n"),
  );
});

test("the page says what was restored by whom, and that the original is untouched", () => {
  const html = page();
  const text = textOf(html);
  expect(text).toContain("Versions of carrier-sync Restore of 20 Nov 2026 14:33, by Nora Lindqvist 9 m 12 s");
  expect(text).toContain(
    "carrier-sync of 20 Nov 02:14:07 is now the repository meridian-freight/carrier-sync_",
  );
  expect(text).toContain("The original was not touched.");
  expect(text).toContain("Open at GitHub");
  expect(html).toContain('aria-label="Complete"');
  expect(html).not.toMatch(/warn-t|bad-t/);
  expect(text).not.toContain("pull-request");
  expect(text).not.toContain("The report holds");
});

test("a part restored into an existing item says so, and an incomplete restore is red", () => {
  const target = {
    kind: "existing" as const,
    into: "Harbour",
    name: "Card 7",
    url: "https://github.example/7",
  };
  const counts = { ...restore.counts, missing: 1 };
  const html = page({ part: "Card 7", by: null, target, counts });
  const text = textOf(html);
  expect(text).toContain(
    "Card 7 of carrier-sync of 20 Nov 02:14:07 was added to the repository Harbour as Card 7",
  );
  expect(text).toContain("Only this part was restored. What was there before is kept.");
  expect(text).not.toMatch(/not touched|, by /);
  expect(html).toMatch(/bad-t restored-mark"[^>]*aria-label="Incomplete"/);
});

test("a version added to an existing item is named by that item alone", () => {
  const target = { ...restore.target, kind: "existing" as const, into: "carrier-sync_restored" };
  const text = textOf(page({ target }));
  expect(text).toContain("was added to the repository meridian-freight/carrier-sync_restored");
  expect(text).toContain("What was there before is kept.");
  expect(text).not.toContain("Only this part");
});

test("a restore whose order is unreadable claims nothing about its target", () => {
  const text = textOf(page({ takenAt: null, target: { ...restore.target, kind: null } }));
  expect(text).toContain("carrier-sync was restored as meridian-freight/carrier-sync_restored");
  expect(text).not.toContain("not touched");
});

test("a long table shows 50 rows at first, and says how many the report holds", () => {
  const mapped = Array.from({ length: 500 }, (_, at) => ({
    ...{ kind: "issue", from: `#${at}`, to: `#${at + 1}`, url: null },
  }));
  const html = page({ report: { ...report, mapped, mappedCount: 1_241 } });
  const table = /<table class="data-table moved-table".*?<\/table>/s.exec(html)?.[0] ?? "";
  expect(table.match(/<tr>/g)).toHaveLength(51);
  expect(textOf(html)).toContain("Show all 500");
  expect(textOf(html)).toContain("The report holds the first 500 of 1,241.");
  expect(textOf(html)).toContain("CSV, 500 lines");
});

test("nothing moved leaves its section out", () => {
  expect(page({ report: { ...report, mapped: [], mappedCount: 0 } })).not.toContain("Where things are now");
});

function page(over: Partial<RestoreView> = {}): string {
  const data = {
    ...{ itemId: "itm_1", itemName: "carrier-sync", connectionId: "con_1", timeZone: "Europe/Berlin" },
    restore: { ...restore, ...over },
    now: finishedAt,
  };
  return renderScreen(<RestoredPage data={data} />, "/platform/backups/github/restored?id=itm_1&run=run_1");
}
