import { expect, test } from "vitest";
import { personOf, shortened } from "./account-person.ts";

test("a username or e-mail is cut after 20 letters, and a letter is never halved", () => {
  expect(shortened("n".repeat(30))).toBe(`${"n".repeat(20)}…`);
  expect(shortened("n".repeat(20))).toBe("n".repeat(20));
  expect(shortened("🦊".repeat(21))).toBe(`${"🦊".repeat(20)}…`);
});

test("e-mail and workspace come from the account's row, and are null where it has none", () => {
  const facts = { email: "n@x.de", workspace_name: "Meridian" };
  expect(personOf({ name: "Nora", facts })).toEqual({
    ...{ username: "Nora", email: "n@x.de", workspace: "Meridian" },
  });
  const none = { username: "Nora", email: null, workspace: null };
  expect(personOf({ name: "Nora", facts: { email: null, workspace_name: "" } })).toEqual(none);
  expect(personOf({ name: "Nora", facts: {} })).toEqual(none);
});
