import { expect, test } from "vitest";
import { freshDevVars } from "./dev-vars.ts";
import { complaintsAbout } from "./settings-complaints.ts";

const GOOD: Record<string, string> = {
  PUBLIC_URL: "http://localhost:8787",
  ...Object.fromEntries(freshDevVars().map(({ name, value }) => [name, value])),
};

test("the settings of a fresh machine are complete", () => {
  expect(complaintsAbout(GOOD)).toEqual([]);
});

test("missing and malformed settings are listed once, without their values", () => {
  const { MASTER_KEYS: _, ...rest } = GOOD;
  const complaints = complaintsAbout({ ...rest, AUTH_SECRET: "hunter2", GITHUB_API_URL: "nowhere" });
  expect(complaints.map((each) => each.split(/[ :]/)[0]).sort()).toEqual([
    "AUTH_SECRET",
    "GITHUB_API_URL",
    "MASTER_KEYS",
  ]);
  expect(complaints).toContain("MASTER_KEYS is missing.");
  expect(complaints.join()).not.toMatch(/hunter2|nowhere/);
});
