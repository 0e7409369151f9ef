import { expect, test } from "vitest";
import { restoreCopy } from "#app/copy/restore.ts";
import type { RestoreAnswers, RestoreQuestion } from "#connectors/contract/restore-question.ts";
import { completeAnswers } from "#core/restores/restore-answers.schema.ts";
import { renderScreen, textOf } from "#tests/harness/render-screen.tsx";
import { QuestionFields } from "./question-fields.tsx";

const columns: RestoreQuestion = {
  ...{ type: "matching", name: "columns", label: "Match columns", help: "", isRequired: true },
  things: { one: "column", many: "columns" },
  left: [
    { id: "1", label: "To do", note: "two statuses", count: 1_318 },
    { id: "2", label: "Waiting", count: 36 },
    { id: "3", label: "Review", count: 1 },
  ],
  counted: { one: "issue", many: "issues", isEstimate: false },
  right: [
    { id: "a", label: "To do" },
    { id: "b", label: "In review" },
  ],
  default: { 1: "a", 2: null, 3: "b" },
  suggested: ["3"],
};
const questions: RestoreQuestion[] = [
  { type: "switch", name: "heads", label: "Bring heads back", help: "As branches.", default: true },
  {
    ...{ type: "choice", name: "mode", label: "Comments", help: "", default: null },
    options: [{ value: "one", label: "In one text" }],
  },
  { type: "text", name: "prefix", label: "Prefix", help: "", maxLength: 3, default: "old" },
  columns,
];

function shown(chosen: RestoreAnswers): string {
  const answers = completeAnswers(questions, chosen);
  return renderScreen(<QuestionFields questions={questions} answers={answers} onAnswer={() => undefined} />);
}

test("every type of question has a field with its default", () => {
  const html = shown({});
  expect(html).toMatch(/<input[^>]*type="checkbox"[^>]*checked=""/);
  expect(html).toContain("Bring heads back");
  expect(html).toContain(restoreCopy.questions.choose);
  expect(html).toContain('value="old"');
  expect(html).toContain("2 of 3 matched");
  expect(html).toContain('aria-label="Match for Waiting"');
  expect(html).toContain("two statuses");
  for (const why of ["same name", "suggested", "no match", "Choose a column"]) expect(html).toContain(why);
  expect(html).toContain("I don&#x27;t want to match all or some of columns");
});

test("each column shows how many issues it has, and the matched ones are added up", () => {
  const text = (html: string) => textOf(html).replaceAll("\u00a0", " ");
  const counts = (html: string) =>
    [...html.matchAll(/<td class="matching__count mono-meta">(.*?)<\/td>/g)].map(([, count]) => count);
  const html = shown({});
  expect(text(html)).toContain("2 of 3 matched, 1,319 of 1,355 issues");
  expect(text(html)).toContain("Open: 36 issues without a column in the target.");
  expect(counts(html)).toEqual(["1,318", "36", "1"]);
  const all = shown({ columns: { 2: "b" } });
  expect(text(all)).toContain("3 of 3 matched, 1,355 of 1,355 issues");
  expect(text(all)).not.toContain("Open:");
  const guessed = { ...columns, counted: { one: "issue", many: "issues", isEstimate: true } } as const;
  const answers = completeAnswers([guessed], {});
  const estimate = renderScreen(
    <QuestionFields questions={[guessed]} answers={answers} onAnswer={() => undefined} />,
  );
  expect(text(estimate)).toContain("about 1,319 of 1,355 issues");
  expect(text(estimate)).toContain("Open: about 36 issues without a column in the target.");
});

test("an open match can be left out explicitly, and a text that is too long shows an error", () => {
  const html = shown({ columns: { 2: null }, mode: "one", prefix: "older" });
  expect(html).not.toContain("no match");
  expect(html).not.toContain("Choose a column");
  expect(html).toContain("Not matched");
  expect(html).not.toContain(restoreCopy.questions.choose);
  expect(html).toContain("At most 3 characters.");
});

test("without questions nothing is rendered", () => {
  expect(renderScreen(<QuestionFields questions={[]} answers={{}} onAnswer={() => undefined} />)).toBe("");
});
