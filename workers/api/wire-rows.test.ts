import { expect, test } from "vitest";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { itemOf } from "#tests/harness/view-fixtures.ts";
import { itemRow } from "./wire-rows.ts";

/** The row of an item of each of a platform's kinds. */
function rowsOf(platform: string) {
  const kinds = descriptors.find(({ id }) => id === platform)?.itemKinds ?? [];
  return kinds.map(({ id, isSub }) =>
    itemRow(itemOf({ platform, kind: id, fullName: "meridian/one", visibility: "internal" }), { isSub }),
  );
}

test("[P-145] a GitLab item's row tells whether it is a project or a snippet", () => {
  expect(rowsOf("gitlab").map(({ type, isRepo }) => [type, isRepo])).toEqual([
    ["project", true],
    ["snippet", false],
  ]);
});

test("[P-146] a row tells who may see its item and whose it is, as far as the platform says so", () => {
  for (const { id } of descriptors) {
    for (const row of rowsOf(id)) {
      expect(row).toMatchObject({ is_private: false, visibility: "internal", organizationName: "meridian" });
    }
  }
});
