import { expect, test } from "vitest";
import { pathOf, TABS, tabOf, visibleTabs } from "./tabs.ts";

const owner = { isSubUser: false, roles: [], organization_name: null, account_type: "User" as const };
const restricted = { ...owner, isSubUser: true, organization_name: "Meridian" };

test("every tab has a URL, and every URL its tab", () => {
  for (const tab of TABS) expect(tabOf(pathOf(tab).split("/")[2])).toBe(tab);
  expect(tabOf(undefined)).toBe("details");
  expect(tabOf("details")).toBeNull();
  expect(tabOf("nothing")).toBeNull();
});

test("[A-176] User Management requires an organisation name or an organisation account", () => {
  expect(visibleTabs(owner)).toEqual(["details", "security", "payment", "storage", "reporting"]);
  expect(visibleTabs({ ...owner, organization_name: "Meridian" })).toEqual([...TABS]);
  expect(visibleTabs({ ...owner, account_type: "Organization" })).toEqual([...TABS]);
});

test("a restricted member sees neither payment nor users, and storage only as an admin of a platform", () => {
  expect(visibleTabs({ ...restricted, roles: ["organization_github_user"] })).toEqual([
    "details",
    "security",
    "reporting",
  ]);
  expect(visibleTabs({ ...restricted, roles: ["organization_github_admin"] })).toEqual([
    "details",
    "security",
    "storage",
    "reporting",
  ]);
});
