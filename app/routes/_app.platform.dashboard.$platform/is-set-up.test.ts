import { expect, test } from "vitest";
import { setups } from "#connectors/registry/setups.generated.ts";
import { isSetUp } from "./is-set-up.ts";

test("a platform is set up with one complete set of its settings", () => {
  const client = { TRELLO_CLIENT_ID: "id", TRELLO_CLIENT_SECRET: "secret" };
  expect(isSetUp("trello", client)).toBe(true);
  expect(isSetUp("trello", { TRELLO_API_KEY: "key" })).toBe(true);
  expect(isSetUp("trello", { ...client, TRELLO_CLIENT_SECRET: "" })).toBe(false);
  expect(isSetUp("trello", {})).toBe(false);
});

test("a platform that needs no settings is always set up", () => {
  expect(Object.keys(setups)).not.toContain("none");
  expect(isSetUp("none", {})).toBe(true);
});
