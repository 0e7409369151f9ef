import { expect, test } from "vitest";
import type { RestoreQuestion } from "#connectors/contract/restore-question.ts";
import { completeAnswers, faultOf, openThings } from "./restore-answers.schema.ts";

const asked = { label: "What", help: "" };
const branches: RestoreQuestion = { ...asked, type: "switch", name: "branches", default: true };
const mode: RestoreQuestion = {
  ...asked,
  ...{ type: "choice", name: "mode", default: null },
  options: [
    { value: "add", label: "Add" },
    { value: "skip", label: "Skip" },
  ],
};
const prefix: RestoreQuestion = { ...asked, type: "text", name: "prefix", maxLength: 5, default: "old " };
const columns = {
  ...asked,
  ...{ type: "matching", name: "columns", isRequired: true },
  things: { one: "column", many: "columns" },
  left: [
    { id: "1", label: "To do", note: "318" },
    { id: "2", label: "Waiting" },
    { id: "__proto__", label: "Odd" },
  ],
  right: [
    { id: "a", label: "To do" },
    { id: "b", label: "Done" },
  ],
  default: { 1: "a", 2: null, ["__proto__"]: "b" },
  suggested: [],
} as const satisfies RestoreQuestion;
const all = [branches, mode, prefix, columns];

test("without answers every default applies, and required choices stay open", () => {
  const answers = completeAnswers(all, {});
  expect(answers).toMatchObject({ branches: true, prefix: "old " });
  expect(Object.keys(answers)).not.toContain("mode");
  expect(faultOf(mode, answers)).toEqual({ kind: "open", count: 1 });
  expect(faultOf(columns, answers)).toEqual({ kind: "open", count: 1 });
  expect(openThings(columns, answers)).toEqual(["2"]);
  expect([faultOf(branches, answers), faultOf(prefix, answers)]).toEqual([null, null]);
});

test("chosen answers are kept; answers that no question offers are dropped", () => {
  const chosen = {
    ...{ branches: false, mode: "skip", prefix: "", stranger: true },
    columns: { 1: "b", 2: "gone", 9: "a" },
  };
  const answers = completeAnswers(all, chosen);
  expect(answers).toMatchObject({ branches: false, mode: "skip", prefix: "" });
  expect(Object.keys(answers).sort()).toEqual(["branches", "columns", "mode", "prefix"]);
  expect(Object.entries(answers.columns ?? {})).toEqual([
    ["1", "b"],
    ["__proto__", "b"],
  ]);
  const wrong = { branches: "yes", mode: "delete", prefix: { 1: "a" }, columns: true };
  expect(completeAnswers(all, wrong)).toEqual(completeAnswers(all, {}));
});

test("a required matching is complete once everything is matched or left out", () => {
  const decided = completeAnswers([columns], { columns: { 2: null } });
  expect(faultOf(columns, decided)).toBeNull();
  expect(decided.columns).toMatchObject({ 1: "a", 2: null });
  const empty = { ...columns, default: {} };
  expect(faultOf(empty, completeAnswers([empty], {}))).toEqual({ kind: "open", count: 3 });
  const free = { ...empty, isRequired: false };
  const answers = completeAnswers([free], {});
  expect(faultOf(free, answers)).toBeNull();
  expect(answers.columns).toMatchObject({ 1: null, 2: null });
});

test("a text may have its maximum length and no more", () => {
  expect(faultOf(prefix, { prefix: "x".repeat(5) })).toBeNull();
  expect(faultOf(prefix, { prefix: "x".repeat(6) })).toEqual({ kind: "too-long", most: 5 });
});
