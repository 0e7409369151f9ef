import { expect, test } from "vitest";
import { pathOf, TABS, tabOf, visibleTabs } from "./tabs.ts";

const owner = { isSubUser: false, roles: [], organization_name: null, account_type: "User" as const };
const restricted = { ...owner, isSubUser: true, organization_name: "Meridian" };

test("every tab has an address, and every address its tab", () => {
  for (const tab of TABS) expect(tabOf(pathOf(tab).split("/")[2])).toBe(tab);
  expect(tabOf(undefined)).toBe("details");
  expect(tabOf("details")).toBeNull();
  expect(tabOf("nothing")).toBeNull();
});

test("[A-176] User Management needs an organisation name or an account of an organisation", () => {
  expect(visibleTabs(owner)).toEqual(["details", "security", "payment", "storage", "reporting"]);
  expect(visibleTabs({ ...owner, organization_name: "Meridian" })).toEqual([...TABS]);
  expect(visibleTabs({ ...owner, account_type: "Organization" })).toEqual([...TABS]);
});

test("a restricted member sees no payment and no users, and storage only as an admin somewhere", () => {
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
