import { expect, test } from "vitest";
import { isSetUp } from "./is-set-up.ts";

const SETS = [["TRELLO_CLIENT_ID", "TRELLO_CLIENT_SECRET"], ["TRELLO_API_KEY"]];

test("a platform is set up with one complete set of its settings", () => {
  const client = { TRELLO_CLIENT_ID: "id", TRELLO_CLIENT_SECRET: "secret" };
  expect(isSetUp(SETS, client)).toBe(true);
  expect(isSetUp(SETS, { TRELLO_API_KEY: "key" })).toBe(true);
  expect(isSetUp(SETS, { ...client, TRELLO_CLIENT_SECRET: "" })).toBe(false);
  expect(isSetUp(SETS, {})).toBe(false);
});

test("a platform that needs no settings is always set up", () => {
  expect(isSetUp([], {})).toBe(true);
});
