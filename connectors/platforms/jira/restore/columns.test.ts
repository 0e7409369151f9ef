import { expect, test } from "vitest";
import type { RestoreQuestion } from "#connectors/contract/restore-question.ts";
import { completeAnswers, faultOf } from "#core/restores/restore-answers.schema.ts";
import { COLUMNS, readAnswers } from "./answers.ts";
import { type Column, columnId, columnsOf, proposeColumns, targetStatus } from "./columns.ts";

const status = (id: string, name: string, category: string | null) => ({ id, name, category });
const OLD = [
  status("1", "To Do", "new"),
  status("2", "Doing", "indeterminate"),
  status("3", "Checking", "indeterminate"),
  status("4", "Shipped", "done"),
];
const LEFT = columnsOf(
  {
    columns: [
      { name: "To do", statuses: [{ id: "1" }] },
      { name: "Work", statuses: [{ id: "2" }, { id: "3" }] },
      { name: "Empty", statuses: [] },
      { name: "Shipped", statuses: [{ id: "4" }] },
    ],
  },
  OLD,
);
const RIGHT: Column[] = [
  { name: "To Do", statuses: [status("10", "To Do", "new")] },
  {
    name: "In Progress",
    statuses: [status("11", "Building", "indeterminate"), status("12", "Checking", "indeterminate")],
  },
  { name: "Done", statuses: [status("13", "Done", "done")] },
];

test("columns are proposed by name, else by category as a guess; empty ones hold no issues", () => {
  const proposal = proposeColumns(LEFT, RIGHT);
  expect(LEFT.map(columnId)).toEqual(["1", "2", "4"]);
  expect(proposal.default).toEqual({ 1: "To Do", 2: "In Progress", 4: "Done" });
  expect(proposal.suggested).toEqual(["2", "4"]);
});

test("without a board each status is a column", () => {
  expect(columnsOf(null, OLD).map(({ name }) => name)).toEqual(["To Do", "Doing", "Checking", "Shipped"]);
});

test("an issue gets the status of the same name in its matched column, else of the category, else the first", () => {
  const match = { 1: "In Progress", 2: "In Progress", 4: null };
  const to = (id: string) =>
    targetStatus(OLD.find((one) => one.id === id)!, { left: LEFT, right: RIGHT, match })?.name ?? null;
  expect([to("1"), to("2"), to("3"), to("4")]).toEqual(["Building", "Building", "Checking", null]);
});

test("without a matching, and for a status on no column, names and categories decide", () => {
  const given = { left: LEFT, right: RIGHT, match: null };
  expect(targetStatus(OLD[3]!, given)?.name).toBe("Done");
  const odd = status("99", "Waiting", null);
  expect(targetStatus(odd, given)).toBeNull();
  expect(targetStatus(status("98", "Checking", "done"), { ...given, match: { 1: null } })?.id).toBe("12");
});

test("every column must be matched or left out, and proposals count as matched", () => {
  const question: RestoreQuestion = {
    ...{ type: "matching", name: COLUMNS, label: "Match Columns", help: "", isRequired: true },
    things: { one: "column", many: "columns" },
    ...proposeColumns(LEFT, RIGHT.slice(0, 1)),
  };
  expect(faultOf(question, completeAnswers([question], {}))).toEqual({ kind: "open", count: 2 });
  const chosen = { [COLUMNS]: { 2: "To Do", 4: null } };
  const answers = completeAnswers([question], chosen);
  expect(faultOf(question, answers)).toBeNull();
  expect(readAnswers({ answers }).columns).toEqual({ 1: "To Do", 2: "To Do", 4: null });
});

test("a strange answer to any question means its default", () => {
  const usual = readAnswers({ answers: {} });
  const strange = {
    columns: "x",
    comments: "no",
    worklogs: {},
    watchers: "yes",
    restricted: {},
    template: true,
    key: {},
  };
  expect(readAnswers({ answers: strange })).toEqual(usual);
});
