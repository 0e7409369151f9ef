import { expect, test } from "vitest";
import type { TableCell, TableView } from "#connectors/contract/table-view.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { allOf } from "#tests/harness/all-of.ts";
import { recordPaths } from "../record-paths.ts";
import {
  DOING,
  DONE,
  issueRecord,
  type MadeRecord,
  PETRA,
  projectRecords,
  TASK,
  TODO,
  versionOf,
} from "./test-version.ts";
import { views } from "./views.ts";

const REVIEW = { ...DOING, id: "24", name: "Review *2*", description: "Somebody else looks." };
const version = (id: number, more: { [key: string]: Json }): MadeRecord => ({
  ...{ path: recordPaths.version(id), kind: "version" },
  value: { id: String(id), archived: false, released: false, ...more },
});
const component = (id: number, more: { [key: string]: Json }): MadeRecord => ({
  ...{ path: recordPaths.component(id), kind: "component" },
  value: { id: String(id), ...more },
});
const type = (id: number, name: string, statuses: string[]): MadeRecord => ({
  ...{ path: recordPaths.issueType(id), kind: "issue-type" },
  value: { ...TASK, id: String(id), name, statuses },
});
const statuses = [TODO, DOING, DONE, REVIEW].map(
  (value): MadeRecord => ({ ...{ path: recordPaths.status(value.id), kind: "status" }, value }),
);
/** References differ from ids, as Jira's do. */
const workflows: MadeRecord = {
  ...{ path: recordPaths.setting("workflows"), kind: "setting" },
  value: {
    statuses: [TODO, DOING, DONE, REVIEW].map(({ id }) => ({ id, statusReference: `ref-${id}` })),
    workflows: [
      {
        ...{ id: "w1", name: "Work" },
        statuses: ["1", "2", "24", "3"].map((id) => ({ statusReference: `ref-${id}` })),
        transitions: [
          { id: "1", type: "INITIAL", name: "Create", toStatusReference: "ref-1", links: [] },
          step("11", "Start", "2", ["1"]),
          step("12", "Ask", "24", ["2"]),
          step("13", "Back", "2", ["24"]),
          { id: "14", type: "GLOBAL", name: "Close", toStatusReference: "ref-3", links: [] },
        ],
      },
    ],
    scheme: null,
  },
};

function step(id: string, name: string, to: string, from: string[]): Json {
  const links = from.map((each) => ({ fromStatusReference: `ref-${each}`, fromPort: 0, toPort: 0 }));
  return { ...{ id, type: "DIRECTED", name, toStatusReference: `ref-${to}` }, links };
}

const records = [
  ...projectRecords(),
  ...statuses,
  type(10, "Task", ["1", "2", "24", "3"]),
  type(13, "Bug", ["1", "3"]),
  workflows,
  issueRecord(1),
  version(9, { name: "2026.1", released: true, releaseDate: "2026-03-01", description: "The first." }),
  version(10, { name: "2026.2", startDate: "2026-03-02", releaseDate: "2026-12-24" }),
  version(11, { name: "2026.3", overdue: true }),
  version(12, { name: "2025.9", released: true, archived: true }),
  component(4, { name: "Gates", lead: PETRA, assigneeType: "COMPONENT_LEAD", description: "Gates 1 to 9" }),
  component(5, { name: "Belts" }),
];

async function open(id: string, made: readonly MadeRecord[] = records): Promise<TableView> {
  const view = (await views(await versionOf(made))).find((each) => each.id === id);
  return (await view!.open()) as TableView;
}

const words = (cell: TableCell | undefined) =>
  cell?.type === "tags" ? cell.tags.map(({ name }) => name) : cell;
const dayOf = (text: string) => ({ type: "date", from: Date.parse(text), until: null, hasTime: false });

test("versions, components and the workflow follow the issues, and only where the project has them", async () => {
  const labels = async (made: readonly MadeRecord[]) =>
    (await views(await versionOf(made))).map(({ label, count }) => [label, count]);
  expect((await labels(records)).slice(-4)).toEqual([
    ["Issues", 1],
    ["Versions", 4],
    ["Components", 2],
    ["Workflow", undefined],
  ]);
  expect((await labels([...projectRecords(), issueRecord(1)])).at(-1)).toEqual(["Issues", 1]);
  expect(await labels([...projectRecords(), version(9, { name: "1" })])).toEqual([["Versions", 1]]);
});

test("a version shows the one state that Jira shows, and its days", async () => {
  const table = await open("versions");
  const rows = await allOf(table.rows(null));
  expect(rows.map(({ id, title, isArchived, cells }) => [id, title, isArchived, words(cells.state)])).toEqual(
    [
      ["9", "2026.1", false, ["Released"]],
      ["10", "2026.2", false, ["Unreleased"]],
      ["11", "2026.3", false, ["Overdue"]],
      ["12", "2025.9", true, ["Archived"]],
    ],
  );
  expect(rows[1]?.cells.start).toEqual(dayOf("2026-03-02"));
  expect(rows[1]?.cells.release).toEqual(dayOf("2026-12-24"));
  expect(rows[2]?.cells.release).toBeUndefined();
  expect((await allOf(table.rows("10"))).map(({ id }) => id)).toEqual(["11", "12"]);
  expect(await table.row("9")).toMatchObject({
    title: "2026.1",
    blocks: [{ type: "text", text: "The first." }],
  });
  expect(await table.row("99")).toBeNull();
  expect(table.roleOf({ path: recordPaths.version(9), kind: "version" })).toEqual({ role: "part", id: "9" });
  expect(table.roleOf({ path: recordPaths.component(4), kind: "component" })).toBeNull();
});

test("a component shows its lead, who gets its issues, and its description", async () => {
  const rows = await allOf((await open("components")).rows(null));
  expect(rows.map(({ title }) => title)).toEqual(["Gates", "Belts"]);
  expect(rows[0]?.cells).toEqual({
    lead: { type: "text", text: "Petra Sommer" },
    assignee: { type: "text", text: "Lead of the component" },
    text: { type: "text", text: "Gates 1 to 9" },
  });
  expect(rows[1]?.cells).toEqual({});
});

test("the workflow shows where each status leads, in the order of the workflow", async () => {
  const table = await open("workflow");
  const rows = (await allOf(table.rows(null))).toSorted(
    (one, other) => Number(one.rank) - Number(other.rank),
  );
  const next = ({ cells }: (typeof rows)[number]) =>
    cells.next?.type === "rows" ? cells.next.rows.map(({ title }) => title) : [];
  const types = ({ cells }: (typeof rows)[number]) =>
    cells.types?.type === "text" ? cells.types.text : null;
  expect(rows.map((row) => [row.title, words(row.cells.category), types(row), next(row)])).toEqual([
    ["To Do", ["To do"], "Task, Bug", ["In Progress", "Done"]],
    ["In Progress", ["In progress"], "Task", ["Review *2*", "Done"]],
    ["Review *2*", ["In progress"], "Task", ["In Progress", "Done"]],
    ["Done", ["Done"], "Task, Bug", []],
  ]);
  expect((await table.row("24"))?.blocks).toEqual([
    { type: "text", text: "Somebody else looks." },
    { type: "text", text: "**Work**\n\n- Back: In Progress\n- Close: Done" },
  ]);
  expect((await table.row("2"))?.blocks).toEqual([
    { type: "text", text: "**Work**\n\n- Ask: Review \\*2\\*\n- Close: Done" },
  ]);
});

test("statuses stand alone where the backup could not read the workflows, or a release before stored no order", async () => {
  const made = records.filter(
    ({ path }) => path !== workflows.path && !path.startsWith(recordPaths.issueTypes),
  );
  const table = await open("workflow", made);
  expect((await table.facts()).columns.map(({ name }) => name)).toEqual(["Category", "Issue types"]);
  const rows = await allOf(table.rows(null));
  expect(rows.map(({ title, cells }) => [title, Object.keys(cells)])).toEqual([
    ["To Do", ["category"]],
    ["In Progress", ["category"]],
    ["Done", ["category"]],
    ["Review *2*", ["category"]],
  ]);
  const broken = { ...workflows, value: { workflows: "none" } };
  expect((await (await open("workflow", [...made, broken])).facts()).columns).toHaveLength(2);
});
