import { expect, test } from "vitest";
import { marksOf } from "#connectors/platforms/jira/marks.ts";
import type { AvailableItemView } from "#core/inventory/views.ts";
import { renderScreen, textOf } from "#tests/harness/render-screen.tsx";
import { AvailableList } from "./available-list.tsx";
import { wordsOf } from "./words.ts";

const nothing = () => undefined;

function list(items: readonly AvailableItemView[]): string {
  return renderScreen(
    <AvailableList
      available={{
        ...{ items, pages: 1, hasMore: false, remainingQuota: 5, isLoading: false, error: null },
        ...{ loadMore: nothing, retry: nothing },
      }}
      words={wordsOf("jira", "project")}
      name=""
      installUrl={null}
      chosen={new Map()}
      isFull={false}
      onToggle={nothing}
    />,
  );
}

test("[P-286] a board of type bug_tracking cannot be selected and says why", () => {
  const project = (name: string, projectTypeKey: string): AvailableItemView => ({
    ...{ externalId: name, name, fullName: name, description: null, sizeHintBytes: 2_000, isAdded: false },
    ...marksOf({ kind: "project", details: { projectTypeKey } }),
  });
  const rowOf = (html: string, name: string) =>
    html.match(/<li>.*?<\/li>/g)?.find((row) => row.includes(name)) ?? "";
  const html = list([project("Defects", "bug_tracking"), project("Fleet", "software")]);
  expect(textOf(rowOf(html, "Defects"))).toContain("Board type not applicable");
  expect(rowOf(html, "Defects")).toMatch(/<input[^>]* disabled=""/);
  expect(rowOf(html, "Fleet")).not.toMatch(/<input[^>]* disabled=""/);
  expect(textOf(rowOf(html, "Fleet"))).not.toContain("not applicable");
});
