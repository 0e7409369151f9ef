import { expect, test } from "vitest";
import { accountFacts } from "./account-facts.ts";

test("an account names its kind and its region, and one of a person the workspace that it opens", () => {
  expect(accountFacts("notion", { accountType: "user", workspace: "Depot", region: "DE" })).toBe(
    "Person · Depot · Europe, Germany",
  );
  expect(accountFacts("notion", { accountType: "user", workspace: null, region: "DE" })).toBe(
    "Person · Europe, Germany",
  );
});
