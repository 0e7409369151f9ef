import fc from "fast-check";
import { expect, test } from "vitest";
import { roleStrings } from "./permissions.ts";
import { parseRoles } from "./role-strings.ts";

const OFFERED = ["github", "trello", "jira-cloud"];
const isOffered = (platform: string) => OFFERED.includes(platform);
const codeOf = (roles: string[]) => {
  try {
    parseRoles(roles, isOffered);
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

test("[A-211] [A-212] every set of rights survives conversion to strings and back", () => {
  const rights = fc.dictionary(
    fc.constantFrom(...OFFERED),
    fc.constantFrom("user" as const, "admin" as const),
  );
  fc.assert(
    fc.property(rights, (platformRoles) => {
      const strings = roleStrings({ role: "member", platformRoles });
      for (const text of strings) expect(text).toMatch(/^organization_[a-z-]+_(user|admin)$/);
      expect(parseRoles(strings, isOffered)).toEqual({ ...platformRoles });
    }),
  );
});

test("only exact spellings are rights", () => {
  const nearly = fc
    .tuple(
      fc.constantFrom(
        "organization_",
        "organisation_",
        "Organization_",
        "organization",
        "",
        " organization_",
      ),
      fc.constantFrom("github", "GitHub", "asana", "constructor", "__proto__", "git_hub", "", "github\n"),
      fc.constantFrom("_user", "_admin", "_owner", "_USER", "_", "", "_admin ", "_user\n", "_user_admin"),
    )
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.oneof(nearly, fc.string()), (text) => {
      const isRight = OFFERED.some((platform) =>
        [`organization_${platform}_user`, `organization_${platform}_admin`].includes(text),
      );
      expect(codeOf([text])).toBe(isRight ? null : "err.role.unknown");
    }),
    { numRuns: 2_000 },
  );
});

test("[A-359] only the roles user and admin exist, and a platform has one right", () => {
  expect(codeOf(["organization_github_owner"])).toBe("err.role.unknown");
  expect(codeOf(["organization_asana_user"])).toBe("err.role.unknown");
  expect(codeOf(["organization_github_user", "organization_github_admin"])).toBe("err.request.invalid");
  expect(codeOf(["organization_github_user", "organization_github_user"])).toBe("err.request.invalid");
  expect(parseRoles(["organization_github_admin", "organization_trello_user"], isOffered)).toEqual({
    github: "admin",
    trello: "user",
  });
});
