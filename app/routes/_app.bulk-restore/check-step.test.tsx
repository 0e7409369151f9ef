import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { answersFor, partQuestions } from "#app/bulk/bulk-answers.ts";
import type { BulkItem } from "#app/bulk/bulk-items.schema.ts";
import { answersInQuery } from "#app/restore/fetch-restore-plan.ts";
import type { RestoreQuestion } from "#connectors/contract/restore-question.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { renderScreen, textOf } from "#tests/harness/render-screen.tsx";
import { forecastQuery } from "./bulk-queries.ts";
import { CheckStep } from "./check-step.tsx";

const kind = descriptors[0]!.itemKinds[0]!;
const heads: RestoreQuestion = {
  type: "switch",
  name: "heads",
  label: "Bring heads back",
  help: "",
  default: true,
};
const columns = (open: string): RestoreQuestion => ({
  ...{ type: "matching", name: "columns", label: "Match columns", help: "", isRequired: true },
  things: { one: "column", many: "columns" },
  left: [
    { id: "1", label: "To do" },
    { id: "2", label: open },
  ],
  right: [{ id: "a", label: "To do" }],
  default: { 1: "a", 2: open === "Done" ? "a" : null },
  suggested: [],
});

function check(
  asked: Readonly<Record<string, RestoreQuestion[]>>,
  {
    platform = descriptors[0]!.id,
    change = {},
    issues = {},
  }: { platform?: string; change?: Partial<BulkItem>; issues?: Readonly<Record<string, number>> } = {},
): string {
  const items = Object.keys(asked).map(
    (id): BulkItem => ({
      ...{ id, idName: `name of ${id}`, name: "OPS2", intoName: "Operations 2026", ver: "snp_1", verDate: 1 },
      ...{ isGist: false, projectTypeKey: null, matchedColumns: [], tags: [], isOpen: false, isSame: false },
      ...(id === "itm_2" ? change : {}),
    }),
  );
  const questions = partQuestions(new Map(Object.entries(asked)));
  const nothing = () => undefined;
  const answersOf = (id: string) => answersFor(questions, { shared: {}, own: {} }, id);
  const queries = items.map(({ id, ver, name }) => ({
    ...{ itemId: id, snapshotId: ver, path: null, placeId: null, into: name },
    ...answersInQuery(answersOf(id)),
  }));
  const client = new QueryClient();
  const creates = Object.entries(issues).map(
    ([id, count]) => [id, [{ kind: "issue", count, one: "issue", many: "issues" }]] as const,
  );
  if (creates.length > 0)
    client.setQueryData(forecastQuery(queries).queryKey, {
      ...{ calls: 9, durationMs: 1_000 },
      creates: new Map(creates.map(([id, kinds]) => [id, [...kinds]])),
    });
  return renderScreen(
    <QueryClientProvider client={client}>
      <CheckStep
        items={items}
        kind={kind}
        platform={platform}
        label="Boards"
        answers={{
          ...{ questions, isLoading: false, failure: null, reason: null, retry: nothing },
          ...{ answerAll: nothing, chooseOwn: nothing, chosen: { shared: {}, own: {} } },
          questionsOf: (id) => questions.own.get(id) ?? [],
          answersOf,
        }}
        rules={{ restoredNameLength: 100, isUnnamed: false, isIntoExisting: true }}
        timeZone="Europe/Berlin"
        now={2}
        places={[]}
        isPlaceChosenAtFirst
        place={null}
        onPlace={nothing}
        emails=""
        emailFault={null}
        onEmails={nothing}
        isSending={false}
        reason={null}
        onBack={nothing}
        onRestore={nothing}
        onTarget={nothing}
        onRemove={nothing}
      />
    </QueryClientProvider>,
  );
}

test("a shared question is one field, and each item's own matching shows its progress", () => {
  const html = check({ itm_1: [heads, columns("Waiting")], itm_2: [heads, columns("Done")] });
  const text = textOf(html);
  expect(text.match(/Bring heads back/g)).toHaveLength(1);
  expect(text).toContain("1 of 2 open");
  expect(text).toContain("2 of 2 matched");
  expect(html).toContain('aria-label="Match columns: name of itm_1"');
  expect(text.match(/Operations 2026/g)).toHaveLength(2);
});

test("without questions per item there is no column for them", () => {
  const html = check({ itm_1: [heads], itm_2: [heads] });
  expect(html.match(/<th /g)).toHaveLength(3);
  expect(html).toContain("Bring heads back");
});

test("where a platform has a word for the matching, one button opens all of it, and each item has its own", () => {
  const html = check({ itm_1: [columns("Waiting")], itm_2: [columns("Done")] }, { platform: "jira" });
  expect(html.match(/<button[^>]*>Assign issues<\/button>/g)).toHaveLength(3);
  expect(html).toContain('aria-label="Assign issues: name of itm_2"');
});

test("an item whose type cannot match says why and has no button, and a target that makes duplicates can be changed", () => {
  const change = { projectTypeKey: "service_desk", isSame: true };
  const text = textOf(check({ itm_1: [columns("Waiting")], itm_2: [] }, { platform: "jira", change }));
  expect(text).toContain(
    "Jira Service Management projects cannot match columns. Issues get the status of the same name, or one of the same kind.",
  );
  expect(text).toContain("duplicates. This action is irreversible.");
  expect(text).toContain("Choose another target");
  expect(text).toContain("Not possible");
  const html = check({ itm_1: [columns("Waiting")], itm_2: [] }, { platform: "jira", change });
  expect(html).not.toContain('aria-label="Assign issues: name of itm_2"');
  expect(textOf(check({ itm_1: [], itm_2: [] }, { platform: "jira" }))).not.toContain("cannot match");
});

test("where a platform counts something, each item says how many its version has, once that is known", () => {
  const asked = { itm_1: [columns("Waiting")], itm_2: [] };
  const text = textOf(check(asked, { platform: "jira", issues: { itm_1: 1_204, itm_2: 1 } }));
  expect(text).toContain("Version To Issues Match columns");
  expect(text).toContain("Operations 2026 1,204 issues");
  expect(text).toContain("Operations 2026 1 issue ");
  const unknown = check(asked, { platform: "jira" });
  expect(unknown.match(/<th /g)).toHaveLength(5);
  expect(unknown).toContain('<td class="mono-meta bulk-table__count"></td>');
});
