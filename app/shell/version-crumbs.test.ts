import { expect, test } from "vitest";
import { versionCrumbs } from "./version-crumbs.ts";

test("the crumbs of a version lead to its item and to the list of the account that holds it", () => {
  const { crumbs } = versionCrumbs("Version");
  const data = { itemName: "quay", itemId: "itm_1", connectionId: "con_2" };
  expect(crumbs(data, { platform: "github" }).flatMap(({ to }) => to ?? [])).toEqual([
    "/platform/dashboard/github?account=con_2",
    "/platform/backups/github?id=itm_1",
  ]);
  expect(crumbs(undefined, { platform: "github" }).flatMap(({ to }) => to ?? [])).toEqual([
    "/platform/dashboard/github",
  ]);
});
