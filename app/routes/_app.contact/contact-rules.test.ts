import { expect, test } from "vitest";
import { type ContactField, contactBody, contactFaults } from "./contact-rules.ts";

const good = {
  firstName: "Nora",
  lastName: "Lindqvist",
  company: "Meridian Freight",
  email: "nora@meridian.example",
  question: "Can you keep versions for a year?",
};

test("a complete form has no errors and is sent with the call's names", () => {
  expect(contactFaults(good)).toEqual({});
  expect(Object.keys(contactBody(good))).toEqual(["first_name", "last_name", "company", "email", "question"]);
});

test.each<[string, ContactField, string, string]>([
  ["B-213", "firstName", "", "Required"],
  ["B-214", "lastName", " ", "Required"],
  ["B-215", "company", "", "Required"],
  ["B-216", "firstName", "N", "At least 2 characters"],
  ["B-216", "lastName", "L", "At least 2 characters"],
  ["B-216", "company", "M", "At least 2 characters"],
  ["B-217", "firstName", "n".repeat(51), "At most 50 characters"],
  ["B-217", "lastName", "n".repeat(51), "At most 50 characters"],
  ["B-217", "company", "n".repeat(51), "At most 50 characters"],
  ["B-218", "email", "", "Required"],
  ["B-219", "email", `${"n".repeat(39)}@example.com`, "At most 50 characters"],
  ["B-220", "email", "abc@", "Invalid email"],
  ["B-221", "question", "", "Required"],
  ["B-222", "question", "?", "At least 2 characters"],
  ["B-223", "question", "?".repeat(1001), "At most 1000 characters"],
])("[%s] the contact form refuses %s = %j", (_row, field, value, fault) => {
  expect(contactFaults({ ...good, [field]: value })).toEqual({ [field]: fault });
});

test.each<[string, ContactField, string]>([
  ...(["firstName", "lastName", "company"] as const).flatMap((field): [string, ContactField, string][] => [
    ["B-216", field, "nn"],
    ["B-217", field, "n".repeat(50)],
  ]),
  ["B-219", "email", `${"n".repeat(38)}@example.com`],
  ["B-222", "question", "?!"],
  ["B-223", "question", "?".repeat(1000)],
])("[%s] the contact form takes %s = %j", (_row, field, value) => {
  expect(contactFaults({ ...good, [field]: value })).toEqual({});
});
