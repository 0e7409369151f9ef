import { beforeAll, expect, test } from "vitest";
import type { BoardView } from "#connectors/contract/board-view.ts";
import type { ThreadsView } from "#connectors/contract/thread-view.ts";
import type { OpenViews, View, ViewKind } from "#connectors/contract/view.ts";
import { boardPage } from "#core/browsing/read-board.ts";
import { diffValues } from "#core/comparisons/part-values.ts";
import { openParts } from "#core/comparisons/parts-view.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import type { MemorySnapshot } from "#tests/conformance/memory-snapshot.ts";
import { allOf } from "#tests/harness/all-of.ts";
import { isDeep } from "#tests/harness/sample.ts";
import { recordPaths } from "../record-paths.ts";
import { changeRecordSchema } from "../record-types.ts";
import {
  adf,
  changed,
  DOING,
  DONE,
  EPIC,
  issueRecord,
  MILAN,
  PETRA,
  projectRecords,
  SUBTASK,
  status,
  TASK,
  versionOf,
} from "./test-version.ts";
import { views } from "./views.ts";

const epic = issueRecord(1, { summary: "Gate 7", issuetype: EPIC, customfield_10020: null });
const bug = issueRecord(2, {
  summary: "Gate 7 sensor sends no event",
  description: adf("The belt starts with the gate *open*."),
  parent: { id: "10001", key: "OPS-1" },
  priority: { id: "2", name: "High" },
  assignee: PETRA,
  labels: ["gate", "urgent"],
  duedate: "2026-11-23",
  components: [{ id: "1", name: "Gates" }],
  subtasks: [{ id: "10003", key: "OPS-3" }],
  customfield_10016: 2,
  customfield_10030: { id: "7", value: "Leipzig", child: { value: "Hall 2" } },
  customfield_10031: "2026-11-20T14:05:00.000+0000",
  customfield_10032: '{"isStale":true}',
  customfield_99999: "of a field that is gone",
  issuelinks: [
    {
      id: "1",
      type: { id: "1", name: "Blocks", inward: "is blocked by", outward: "blocks" },
      inwardIssue: { id: "10004", key: "OPS-4" },
    },
  ],
  attachment: [
    { id: "900", filename: "gate.jpg", size: 5 },
    { id: "901", filename: "lost.pdf", size: 9 },
  ],
});
const part = (
  issue: number,
  folder: "comment" | "worklog" | "change",
  id: number,
  value: { [key: string]: Json },
) => ({
  ...{ path: recordPaths[folder](10_000 + issue, id), kind: folder },
  value: { id: String(id), author: MILAN, ...value },
});
const change = (id: number, created: string, ...items: Json[]) => part(2, "change", id, { created, items });
const records = [
  ...projectRecords(),
  epic,
  bug,
  issueRecord(3, {
    ...{ summary: "Order a bracket", issuetype: SUBTASK, status: DONE, assignee: MILAN },
    ...{ parent: { id: "10002", key: "OPS-2" }, customfield_10020: null },
  }),
  issueRecord(4, { summary: "Scanner 11", status: DOING, customfield_10019: "0|i00000:", issuetype: TASK }),
  issueRecord(5, { summary: "Later", customfield_10020: [{ id: 46 }, { id: 12, name: "Sprint of others" }] }),
  issueRecord(6, { summary: "Long ago", status: DONE, customfield_10020: [{ id: 46 }] }),
  issueRecord(7, { summary: "Next", customfield_10020: [{ id: 48 }, { id: 46 }] }),
  issueRecord(8, { summary: "Odd", status: status(9, "Parked", "todo") }),
  issueRecord(9, { summary: "First of all", customfield_10019: "0|a:" }),
  {
    ...{ path: recordPaths.issueExtras(10_002), kind: "issue-extras" },
    value: {
      watchers: [MILAN],
      remoteLinks: [{ id: "1", object: { url: "https://wiki.test/gate", title: "Gate manual" } }],
    },
  },
  part(2, "comment", 1, {
    created: "2026-11-16T08:35:00.000+0000",
    updated: "2026-11-16T08:35:00.000+0000",
    body: adf("Spare part is on the way."),
  }),
  part(2, "comment", 2, {
    ...{ created: "2026-11-19T22:15:00.000+0000", updated: "2026-11-19T23:15:00.000+0000" },
    ...{ body: adf("Not there yet."), visibility: { type: "role", value: "Administrators" } },
  }),
  part(2, "worklog", 3, {
    created: "2026-11-17T08:00:00.000+0000",
    started: "2026-11-17T06:30:00.000+0000",
    timeSpentSeconds: 5400,
    comment: adf("Checked the beam"),
  }),
  change(4, "2026-11-13T00:10:00.000+0000", {
    field: "priority",
    fieldId: "priority",
    fromString: "Medium",
    toString: "High",
  }),
  change(
    5,
    "2026-11-18T00:10:00.000+0000",
    { field: "status", fieldId: "status", from: "2", fromString: "In Progress", to: "1", toString: "To Do" },
    { field: "labels", fieldId: "labels", fromString: "gate", toString: "gate urgent" },
  ),
];
const files = [{ path: recordPaths.attachment(10_002, 900), name: "gate.jpg", text: "photo" }];

let snapshot: MemorySnapshot;
let all: readonly View[];
beforeAll(async () => {
  snapshot = await versionOf(records, files);
  all = await views(snapshot);
});
async function open<K extends ViewKind>(kind: K, id: string, from = all): Promise<OpenViews[K]> {
  const view = from.find((each) => each.id === id && each.kind === kind);
  return (await view!.open()) as OpenViews[K];
}
const shown = async (board: BoardView, hasArchived: boolean) =>
  (await boardPage(board, { search: null, hasArchived })).columns.map(({ title, cards }) => [
    title,
    cards.map(({ key }) => key).join(" "),
  ]);

test("a version has its boards, the backlog and all issues", () => {
  expect(all.map(({ id, label, kind }) => [id, label, kind])).toEqual([
    ["board-5", "Board", "board"],
    ["backlog", "Backlog", "board"],
    ["issues", "Issues", "thread"],
  ]);
});

test("a project without boards and sprints has its issues, and one without issues has no view", async () => {
  const bare = await versionOf([issueRecord(1)]);
  expect((await views(bare)).map(({ id }) => id)).toEqual(["issues"]);
  expect(await views(await versionOf(projectRecords()))).toEqual([]);
});

test("boards of one name are told apart", async () => {
  const [board] = projectRecords().filter(({ kind }) => kind === "board");
  const other = {
    ...board!,
    path: recordPaths.board(6),
    value: { ...(board!.value as object), id: "6" } as Json,
  };
  const labels = (await views(await versionOf([board!, other, issueRecord(1)]))).map(({ label }) => label);
  expect(labels).toEqual(["OPS board (5)", "OPS board (6)", "Issues"]);
});

test("a board of sprints shows the active one by status, in the order of ranks", async () => {
  const board = await open("board", "board-5");
  expect(await shown(board, false)).toEqual([
    ["To do", "OPS-9 OPS-2"],
    ["In progress", "OPS-4"],
    ["Done", ""],
  ]);
  expect((await shown(board, true)).slice(3)).toEqual([
    ["Not in the sprint", "OPS-3 OPS-5 OPS-6 OPS-7"],
    ["Not on this board", "OPS-1 OPS-8"],
  ]);
  expect(await board.facts()).toMatchObject({ title: "OPS board", text: "Belts" });
  expect(board.words).toMatchObject({
    card: { many: "issues" },
    column: { one: "column" },
    people: "assignee",
  });
  // Columns that Jira does not have are counted by their issues only.
  const page = await boardPage(board, { search: null, hasArchived: false });
  expect(page).toMatchObject({ archivedCount: 6, archivedColumnCount: 0 });
});

test("the backlog shows open sprints before it, and closed ones behind", async () => {
  const backlog = await open("board", "backlog");
  expect(await shown(backlog, true)).toEqual([
    ["Sprint 47", "OPS-9 OPS-4 OPS-2 OPS-8"],
    ["Sprint 48", "OPS-7"],
    ["Backlog", "OPS-5"],
    ["Sprint 46", "OPS-6"],
    ["Done without a sprint", ""],
    ["Epics and sub-tasks", "OPS-1 OPS-3"],
  ]);
});

test("a card shows type, priority, points, epic, labels, day and person", async () => {
  const board = await open("board", "board-5");
  const cards = await allOf(board.cards());
  const card = cards.find(({ key }) => key === "OPS-2")!;
  expect(card).toMatchObject({
    ...{ title: "Gate 7 sensor sends no event", people: ["Petra Sommer"], commentCount: 2, fileCount: 2 },
    ...{ badges: ["Task", "High", "2 points", "OPS-1 Gate 7", "1 sub-task"], dueAt: Date.UTC(2026, 10, 23) },
    tags: [{ name: "gate" }, { name: "urgent" }],
  });
  expect(card.words).toContain("The belt starts with the gate *open*.");
  expect(card.words).toContain("Leipzig / Hall 2");
});

test("an issue shows its fields by name, both directions of links, sub-tasks and files", async () => {
  const board = await open("board", "board-5");
  const card = await board.card("10002");
  expect(card?.fields).toEqual([
    { name: "Type", value: "Task" },
    { name: "Status", value: "To Do" },
    { name: "Priority", value: "High" },
    { name: "Reporter", value: "Petra Sommer" },
    { name: "Sprint", value: "Sprint 47" },
    { name: "Story Points", value: "2" },
    { name: "Components", value: "Gates" },
    { name: "Depot", value: "Leipzig / Hall 2" },
    { name: "Seen at", value: "2026-11-20 14:05 UTC" },
    { name: "Epic", value: "OPS-1 Gate 7" },
    { name: "Is blocked by", value: "OPS-4 Scanner 11" },
    { name: "Watchers", value: "Milan Novák" },
  ]);
  expect(card?.badges).toEqual(["Task", "High", "2 points", "OPS-1 Gate 7"]);
  expect(card?.checks).toEqual({ done: 1, total: 1 });
  expect(card?.text).toBe("The belt starts with the gate \\*open\\*.");
  expect(card?.checklists).toEqual([
    {
      title: "Sub-tasks",
      items: [{ text: "OPS-3 Order a bracket", isDone: true, dueAt: null, person: "Milan Novák" }],
    },
  ]);
  expect(card?.files).toEqual([
    { name: "gate.jpg", path: recordPaths.attachment(10_002, 900), url: null, sizeBytes: 5 },
    { name: "lost.pdf", path: null, url: null, sizeBytes: 9 },
    { name: "Gate manual", path: null, url: "https://wiki.test/gate", sizeBytes: null },
  ]);
  const seen = JSON.stringify([card, await (await open("thread", "issues")).thread("10002")]);
  expect(seen).not.toMatch(/customfield|isStale|of a field that is gone|acc-/);
});

test("who watches and votes is told by name, and only counted without the right to see them", async () => {
  const counts = { watches: { watchCount: 2, isWatching: false }, votes: { votes: 3, hasVoted: false } };
  const extras = (number: number, value: { [key: string]: Json }) => ({
    ...{ path: recordPaths.issueExtras(10_000 + number), kind: "issue-extras", value },
  });
  const version = await versionOf([
    issueRecord(1, counts),
    extras(1, { watchers: [MILAN], voters: [MILAN] }),
    issueRecord(2, counts),
    issueRecord(3),
  ]);
  const threads = await open("thread", "issues", await views(version));
  const told = async (id: string) =>
    (await threads.thread(id))?.fields.filter(({ name }) => /^(Watch|Vote)/.test(name));
  expect(await told("10001")).toEqual([
    { name: "Watchers", value: "Milan Novák" },
    { name: "Votes", value: "Milan Novák" },
  ]);
  expect(await told("10002")).toEqual([
    { name: "Watchers", value: "2" },
    { name: "Votes", value: "3" },
  ]);
  expect(await told("10003")).toEqual([]);
});

test("a sprint without a record of its own is told by the name that the issue has", async () => {
  const thread = await (await open("thread", "issues")).thread("10005");
  expect(thread?.fields).toContainEqual({ name: "Sprint", value: "Sprint 46, Sprint of others" });
});

test("an issue as a thread has its state, and notes of all kinds in the order of time", async () => {
  const threads = await open("thread", "issues");
  const keys = (await allOf(threads.threads(null))).map(({ key, state }) => [key, state?.isOpen]);
  expect(keys).toEqual(
    [9, 8, 7, 6, 5, 4, 3, 2, 1].map((number) => [`OPS-${number}`, number !== 6 && number !== 3]),
  );
  const thread = await threads.thread("10002");
  expect(thread).toMatchObject({ state: { label: "To Do", isOpen: true }, author: "Petra Sommer" });
  expect(thread?.fields).toContainEqual({ name: "Sub-tasks", value: "OPS-3 Order a bracket" });
  expect(thread?.files).toHaveLength(3);
  const { notes } = await threads.notes("10002", { after: null, most: 10 });
  expect(notes.map(({ type, text, author }) => [type, text, author])).toEqual([
    ["event", "changed Priority from Medium to High", "Milan Novák"],
    ["comment", "Spare part is on the way.", "Milan Novák"],
    ["event", "logged 1h 30m on 2026-11-17 06:30 UTC: Checked the beam", "Milan Novák"],
    ["event", "changed status from In Progress to To Do; added the label urgent", "Milan Novák"],
    ["comment", "Not there yet.", "Milan Novák"],
  ]);
  expect(notes.at(-1)).toMatchObject({
    about: "Visible to Administrators",
    editedAt: Date.UTC(2026, 10, 19, 23, 15),
  });
});

test("a card's history has changes and work logs, the newest first, page by page", async () => {
  const board = await open("board", "board-5");
  const texts: string[] = [];
  for (let after: string | null = null; ; ) {
    const page = await board.history("10002", { after, most: 1 });
    texts.push(...page.notes.map(({ text }) => text.split(" ").slice(0, 2).join(" ")));
    after = page.next;
    if (after === null) break;
  }
  expect(texts).toEqual(["changed status", "logged 1h", "changed Priority"]);
});

test("what changed between two versions is told field by field with the names that people see", async () => {
  const later = changed(bug, {
    status: DONE,
    assignee: MILAN,
    customfield_10030: { value: "Plzeň" },
    customfield_10016: 5,
    customfield_99999: "still nothing",
    labels: ["gate"],
    description: adf("The belt waits."),
  });
  const young = await versionOf(
    records.map((record) => (record === bug ? later : record)),
    files,
  );
  const partOf = async (from: readonly View[]) =>
    (await (await openParts(from[0] as Exclude<View, { kind: "files" }>)).part("10002"))!;
  const [before, after] = [await partOf(all), await partOf(await views(young))];
  const told = diffValues(before.values, after.values).map(({ field, name }) => field ?? name);
  expect(told.toSorted()).toEqual([
    "Depot",
    "Status",
    "Story Points",
    "column",
    "done",
    "people",
    "tags",
    "text",
  ]);
  expect([before.place?.title, after.place?.title]).toEqual(["To do", "Done"]);
});

test("every entry of an issue belongs to it in each view", async () => {
  const board = await open("board", "board-5");
  const threads: ThreadsView = await open("thread", "issues");
  const roles: Record<string, number> = {};
  for await (const entry of snapshot.list()) {
    const role = board.roleOf(entry);
    expect(threads.roleOf(entry)).toEqual(role);
    roles[role?.role ?? "none"] = (roles[role?.role ?? "none"] ?? 0) + 1;
  }
  expect(roles).toEqual({ part: 9, comment: 2, event: 3, file: 1, value: 1, none: 12 });
});

test("an entry of the history without values before or after is read", () => {
  const { items } = changeRecordSchema.parse({ id: "1", items: [{ field: "status" }] });
  expect(items[0]).toMatchObject({ from: null, toString: null });
});

// The time and memory per issue stay the same.
test.each(isDeep() ? [5_000, 50_000] : [2_000])("%i issues are read one at a time", async (count) => {
  let reads = 0;
  let waiting = 0;
  const small = await versionOf([...projectRecords(), issueRecord(1)]);
  const value = issueRecord(1).value as { [key: string]: Json };
  const many = {
    ...small,
    counts: () => ({ issue: count, sprint: 3 }),
    async *list(prefix = "", after = "") {
      if (prefix !== recordPaths.issues) return yield* small.list(prefix, after);
      for (let number = 1; number <= count; number += 1)
        yield { ...small.entries.get(recordPaths.issue(10_001))!.info, path: recordPaths.issue(number) };
    },
    async readRecord(path: string) {
      if (!path.startsWith(recordPaths.issues)) return await small.readRecord(path);
      reads += 1;
      waiting += 1;
      const id = String(Number(path.split("/")[1]));
      return { ...value, id };
    },
  };
  const board = await open("board", "board-5", await views(many));
  let cards = 0;
  for await (const _ of board.cards()) {
    expect(waiting).toBe(1);
    waiting = 0;
    cards += 1;
  }
  expect([cards, reads]).toEqual([count, count]);
});
