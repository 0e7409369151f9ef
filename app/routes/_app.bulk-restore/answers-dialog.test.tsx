import { expect, test } from "vitest";
import type { BulkItem } from "#app/bulk/bulk-items.schema.ts";
import type { RestoreQuestion } from "#connectors/contract/restore-question.ts";
import { renderScreen, textOf } from "#tests/harness/render-screen.tsx";
import { AnswersPanes } from "./answers-dialog.tsx";

const columns = (...names: string[]): RestoreQuestion => ({
  ...{ type: "matching", name: "columns", label: "Match Columns", help: "", isRequired: true },
  things: { one: "column", many: "columns" },
  left: names.map((label, at) => ({ id: String(at), label })),
  right: [{ id: "a", label: "To do" }],
  default: { 0: "a" },
  suggested: [],
});
const item = (id: string, idName: string, projectTypeKey: string): BulkItem => ({
  ...{ id, idName, projectTypeKey, name: "10002", intoName: `${idName} 2026`, ver: "snp_1", verDate: 1 },
  ...{ isGist: false, matchedColumns: [], tags: [], isOpen: false, isSame: false },
});
const items = [
  item("1", "Operations", "software"),
  item("2", "Website", "software"),
  item("3", "Customer desk", "service_desk"),
  item("4", "Ideas", "product_discovery"),
];
const own = new Map([
  ["1", [columns("To do", "Waiting")]],
  ["2", [columns("To do")]],
]);

function panes(shownId: string | null): string {
  return renderScreen(
    <AnswersPanes
      platform="jira"
      items={items}
      state={{ questions: { shared: [], own }, chosen: { shared: {}, own: {} } }}
      own={{}}
      shownId={shownId}
      onShow={() => undefined}
      onAnswer={() => undefined}
    />,
  );
}

test("each restore tells what is open, and the first one is shown", () => {
  const html = panes(null);
  const list = textOf(/<nav.*?<\/nav>/s.exec(html)?.[0] ?? "");
  expect(list).toBe(
    "Operations into Operations 2026 1 of 2 open Website into Website 2026 1 of 1 matched Customer desk into Customer desk 2026 Not possible",
  );
  expect(textOf(html)).toContain("Operations into Operations 2026 Choices Match Columns");
  expect(html).toContain('aria-label="Match for Waiting"');
});

test("the chosen restore is shown; one that cannot match says why", () => {
  expect(panes("2")).not.toContain('aria-label="Match for Waiting"');
  expect(panes("2")).toContain('aria-label="Match for To do"');
  expect(textOf(panes("3"))).toContain(
    "Jira Service Management projects cannot match columns. Issues get the status of the same name, or one of the same kind.",
  );
});
