import { expect, test } from "vitest";
import { canManage, canUse, roleStrings } from "./permissions.ts";

const owner = { role: "owner", platformRoles: {} } as const;
const helper = { role: "member", platformRoles: { github: "admin", trello: "user" } } as const;

test.each(["github", "gitlab", "trello", "jira", "notion"])(
  "[A-352] an owner has every right on %s",
  (platform) => {
    expect([canUse(owner, platform), canManage(owner, platform)]).toEqual([true, true]);
  },
);

test.each([
  [helper, "github", true, true],
  [helper, "trello", true, false],
  [helper, "jira", false, false],
  [helper, "constructor", false, false],
])("%j on %s: uses %s, manages %s", (member, platform, uses, manages) => {
  expect(canUse(member, platform)).toBe(uses);
  expect(canManage(member, platform)).toBe(manages);
});

test("roles have the spelling of the wire", () => {
  expect(roleStrings(helper)).toEqual(["organization_github_admin", "organization_trello_user"]);
  expect(roleStrings(owner)).toEqual([]);
});
