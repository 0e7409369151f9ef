import { expect, test } from "vitest";
import { accountIn, accountPath, NEW_ACCOUNT } from "./account-path.ts";

const [one, other] = [{ id: "con_1" }, { id: "con_2" }];

test("the URL names an account if there are several, and says when another one is being added", () => {
  expect(accountIn({ accounts: [one], connection: one, isAdding: false })).toBeNull();
  expect(accountIn({ accounts: [one, other], connection: other, isAdding: false })).toBe("con_2");
  expect(accountIn({ accounts: [one, other], connection: null, isAdding: false })).toBeNull();
  expect(accountIn({ accounts: [one], connection: null, isAdding: true })).toBe(NEW_ACCOUNT);
});

test("the URL of an account keeps other parameters", () => {
  expect(accountPath("github", null)).toBe("?platform=github");
  expect(accountPath("github", "con_2", { step: "authorize", region: "UK" })).toBe(
    "?platform=github&account=con_2&step=authorize&region=UK",
  );
});
