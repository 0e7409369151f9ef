import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { grantablePlatforms } from "#app/routes/_app.settings.($tab)/grantable-platforms.ts";
import { APPS_TO_PROTECT } from "#app/routes/_auth.auth.sign-up/apps-to-protect.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { announcedPlatform, KNOWN_PLATFORMS } from "./announced-platforms.ts";

const FIVE = ["github", "gitlab", "jira", "notion", "trello"];

test("[A-011] Asana is a known platform without routes, connector or offers", () => {
  expect(Object.keys(KNOWN_PLATFORMS)).toContain("asana");
  expect(announcedPlatform("asana")).toBeNull();
  expect(descriptors.map(({ id }) => id)).not.toContain("asana");
  const routes = readdirSync(path.join(import.meta.dirname, "../routes"));
  expect(routes.filter((name) => name.includes("asana"))).toEqual([]);
});

test("[A-014] every list of platforms has the five platforms and not Asana", () => {
  expect(grantablePlatforms.map(({ id }) => id).toSorted()).toEqual(FIVE);
  expect(APPS_TO_PROTECT.map(({ id }) => id).toSorted()).toEqual(FIVE);
});

test("a platform is announced while it has no connector, and an unknown one never is", () => {
  expect(announcedPlatform("notion")).toBe("Notion");
  for (const id of ["github", "jira", "constructor", "", "Notion"]) expect(announcedPlatform(id)).toBeNull();
});
