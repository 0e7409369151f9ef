import { expect, test } from "vitest";
import { identityMessage, isCode } from "./identity-message.ts";

test.each([
  ["[A-415]", "Code mismatch", "Code is invalid, please check your authenticator"],
  ["[A-416]", "Invalid code received for user", "Code is invalid, please check your authenticator"],
  [
    "[A-417]",
    "Invalid session for the user, session is expired.",
    "Code has expired, please check your authenticator",
  ],
  [
    "[A-418]",
    "Your software token has already been used once",
    "Please wait for your app to refresh a new code",
  ],
])("%s %s is shown in plain words", (_id, said, shown) => {
  expect(identityMessage(said)).toBe(shown);
});

test("[A-414] other messages are shown as they come", () => {
  expect(identityMessage("Some text")).toBe("Some text");
  expect(identityMessage("constructor")).toBe("constructor");
});

test("[A-336] a code has 6 or 7 digits", () => {
  expect(["12345", "123456", "1234567", "12345678", "12345a", "１２３４５６", ""].filter(isCode)).toEqual([
    "123456",
    "1234567",
  ]);
});
