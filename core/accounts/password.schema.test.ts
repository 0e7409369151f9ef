import { expect, test } from "vitest";
import { newPasswordSchema, personNameSchema, signInSchema, signUpSchema } from "./password.schema.ts";

const messageOf = (password: string) =>
  newPasswordSchema.safeParse(password).error?.issues.map((issue) => issue.message) ?? [];

test.each([
  ["Blue7$kett", []],
  ['Rq7"vmK2pLd!', []],
  ["Short7$a", ["At least 10 characters, at most 50"]],
  [`Aa1$${"bcxqrt".repeat(9)}`, ["At least 10 characters, at most 50"]],
  ["blueriver7$kettle", ["At least one uppercase letter"]],
  ["BLUERIVER7$KETTLE", ["At least one lowercase letter"]],
  ["Blueriver$kettle", ["At least one digit"]],
  ["Blueriver7kettle", ['One special character: $ ! % * ^ " @']],
  ["Blueriver7$ kettle", ["No other characters and no spaces"]],
  ["Blueriver7$#kettle", ["No other characters and no spaces"]],
  ["P@ssw0rd2026", ["No repeats, sequences or common passwords"]],
  ["Qwerty7$kettle", ["No repeats, sequences or common passwords"]],
  ["Blue7$aaaaKett", ["No repeats, sequences or common passwords"]],
  ["Blue$12345Kettle", ["No repeats, sequences or common passwords"]],
])("the password %j is answered with %j", (password, messages) => {
  expect(messageOf(password)).toEqual(messages);
});

test.each([
  ["Ann Example", true],
  ["Ö", false],
  ["Visit www.example", false],
  ["https://example.com", false],
  ["example.com", false],
  ["x".repeat(51), false],
  ["Ann\u0000Example", false],
])("the name %j is accepted: %s", (name, isAccepted) => {
  expect(personNameSchema.safeParse(name).success).toBe(isAccepted);
});

test("addresses are trimmed and stored in lower case", () => {
  const parsed = signUpSchema.parse({ name: "Ann", email: " Ann@Example.COM ", password: "Blue7$kett" });
  expect(parsed.email).toBe("ann@example.com");
});

test("unknown members are refused, so that nobody signs up with a role", () => {
  const body = { email: "ann@example.com", password: "x", role: "owner" };
  expect(signInSchema.safeParse(body).success).toBe(false);
});
