import { expect, test } from "vitest";
import { isSameRights, rightsOf, rolesOf, withToggled } from "./rights.ts";

test("roles convert to rights and back", () => {
  const roles = ["organization_github_admin", "organization_jira_user"];
  expect(rightsOf([...roles, "superuser"])).toEqual({ github: "admin", jira: "user" });
  expect(rolesOf(rightsOf(roles))).toEqual(roles);
});

test("[A-285] a platform has one right, independent of other platforms", () => {
  const reader = withToggled({ jira: "admin" }, "github", "user");
  expect(reader).toEqual({ jira: "admin", github: "user" });
  const writer = withToggled(reader, "github", "admin");
  expect(writer).toEqual({ jira: "admin", github: "admin" });
  expect(withToggled(writer, "github", "admin")).toEqual({ jira: "admin" });
});

test("the order of rights does not matter", () => {
  expect(isSameRights({ jira: "user", github: "admin" }, { github: "admin", jira: "user" })).toBe(true);
  expect(isSameRights({ jira: "user" }, { jira: "admin" })).toBe(false);
  expect(isSameRights({}, { jira: "admin" })).toBe(false);
});
