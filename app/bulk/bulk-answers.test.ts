import { expect, test } from "vitest";
import type { RestoreQuestion } from "#connectors/contract/restore-question.ts";
import { answersFor, bulkAnswersReason, partQuestions, progressOf } from "./bulk-answers.ts";
import { severalAtOnce } from "./several-at-once.ts";

const heads: RestoreQuestion = { type: "switch", name: "heads", label: "Heads", help: "", default: true };
const columns = (more: Partial<Extract<RestoreQuestion, { type: "matching" }>>): RestoreQuestion => ({
  ...{ type: "matching", name: "columns", label: "Match columns", help: "", isRequired: true },
  things: { one: "column", many: "columns" },
  left: [
    { id: "1", label: "To do" },
    { id: "2", label: "Waiting" },
  ],
  right: [{ id: "a", label: "To do" }],
  default: { 1: "a", 2: null },
  suggested: [],
  ...more,
});

test("questions equal for all items are asked once; others, and every matching, are asked per item", () => {
  const alike = partQuestions(
    new Map([
      ["itm_1", [heads, columns({})]],
      ["itm_2", [columns({}), heads]],
    ]),
  );
  expect(alike.shared).toEqual([heads]);
  expect([...alike.own.values()]).toEqual([[columns({})], [columns({})]]);

  const other = columns({ left: [{ id: "9", label: "Done" }], default: {} });
  const questions = partQuestions(
    new Map([
      ["itm_1", [heads, columns({})]],
      ["itm_2", [heads, other]],
    ]),
  );
  expect(questions.shared).toEqual([heads]);
  expect(questions.own.get("itm_2")).toEqual([other]);
  expect(partQuestions(new Map())).toEqual({ shared: [], own: new Map() });
});

test("an answer stays when a question becomes one of all items, or of one", () => {
  const alone = partQuestions(new Map([["itm_1", [heads]]]));
  const chosen = { shared: {}, own: { itm_1: { heads: false } } };
  expect(answersFor(alone, chosen, "itm_1")).toEqual({ heads: false });
  const apart = { shared: [], own: new Map([["itm_1", [heads]]]) };
  expect(answersFor(apart, { shared: { heads: false }, own: {} }, "itm_1")).toEqual({ heads: false });
});

test("a bulk restore waits for every item's answers and sends each its own", () => {
  const other = columns({ left: [{ id: "9", label: "Done" }], default: {} });
  const questions = partQuestions(
    new Map([
      ["itm_1", [heads, columns({})]],
      ["itm_2", [heads, other]],
    ]),
  );
  const nothing = { shared: {}, own: {} };
  expect(bulkAnswersReason(questions, nothing)).toBe("1 column open");
  expect(answersFor(questions, nothing, "itm_1")).toEqual({ heads: true, columns: { 1: "a" } });
  expect(progressOf([columns({})], answersFor(questions, nothing, "itm_1"))).toEqual({
    ...{ open: 1, all: 2, isMatching: true },
  });
  const half = { shared: { heads: false }, own: { itm_1: { columns: { 2: null } } } };
  expect(bulkAnswersReason(questions, half)).toBe("1 column open");
  const whole = { ...half, own: { ...half.own, itm_2: { columns: { 9: "a" } } } };
  expect(bulkAnswersReason(questions, whole)).toBeNull();
  expect(answersFor(questions, whole, "itm_2")).toEqual({ heads: false, columns: { 9: "a" } });
});

test("work runs a few at a time and keeps its order; the first failure rejects", async () => {
  let [running, most] = [0, 0];
  const work = async (member: number) => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    running -= 1;
    return member * 2;
  };
  const list = Array.from({ length: 50 }, (_, index) => index);
  expect(await severalAtOnce(list, work)).toEqual(list.map((member) => member * 2));
  expect(most).toBe(4);
  expect(await severalAtOnce([], work)).toEqual([]);
  await expect(severalAtOnce([1], () => Promise.reject(new Error("no")))).rejects.toThrow("no");
});
