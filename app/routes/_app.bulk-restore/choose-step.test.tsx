import { expect, test } from "vitest";
import type { BulkItem } from "#app/bulk/bulk-items.schema.ts";
import { MOST_ITEMS } from "#app/bulk/bulk-rules.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { renderScreen } from "#tests/harness/render-screen.tsx";
import { ChooseStep } from "./choose-step.tsx";

const kind = descriptors[0]!.itemKinds[0]!;

/** The button that adds items, for a list with `count` items. */
function addButton(count: number): string {
  const items: BulkItem[] = Array.from({ length: count }, (_, at) => ({
    id: `itm_${at}`,
    idName: `item ${at}`,
    name: `item ${at}_restored`,
    ver: "snp_1",
    verDate: 1,
    isGist: false,
    projectTypeKey: null,
    matchedColumns: [],
    intoName: "",
    isSame: false,
    tags: [],
    isOpen: false,
  }));
  const nothing = () => undefined;
  const html = renderScreen(
    <ChooseStep
      state={{
        ...{ items, points: {}, failure: null, places: [], busy: new Set<string>() },
        ...{ retry: nothing, change: nothing, remove: nothing, add: nothing },
      }}
      kind={kind}
      rules={{ restoredNameLength: 100, isUnnamed: false, isIntoExisting: false }}
      onTarget={nothing}
      timeZone="Europe/Berlin"
      now={2}
      hasProFeatures
      nextReason={null}
      cancelTo="/"
      onAdd={nothing}
      onNext={nothing}
    />,
  );
  return html.match(/<button[^>]*aria-describedby="bulk-count"[^>]*>/)?.[0] ?? "";
}

test("[P-290] Add items is enabled below fifty items and disabled at fifty", () => {
  expect(MOST_ITEMS).toBe(50);
  expect(addButton(MOST_ITEMS - 1)).toContain("<button");
  expect(addButton(MOST_ITEMS - 1)).not.toContain("aria-disabled");
  expect(addButton(MOST_ITEMS)).toContain('aria-disabled="true"');
});
