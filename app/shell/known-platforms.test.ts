import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { grantablePlatforms } from "#app/routes/_app.settings.($tab)/grantable-platforms.ts";
import { APPS_TO_PROTECT } from "#app/routes/_auth.auth.sign-up/apps-to-protect.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { KNOWN_PLATFORMS, OFFERED_PLATFORMS } from "./known-platforms.ts";

const FIVE = ["github", "gitlab", "jira", "notion", "trello"];

test("[A-011] Asana is a known platform without routes, connector or offers", () => {
  expect(Object.keys(KNOWN_PLATFORMS)).toContain("asana");
  expect(OFFERED_PLATFORMS.map(({ id }) => id)).not.toContain("asana");
  expect(descriptors.map(({ id }) => id)).not.toContain("asana");
  const routes = readdirSync(path.join(import.meta.dirname, "../routes"));
  expect(routes.filter((name) => name.includes("asana"))).toEqual([]);
});

test("[A-014] every list of platforms has the five platforms and not Asana", () => {
  expect(grantablePlatforms.map(({ id }) => id).toSorted()).toEqual(FIVE);
  expect(APPS_TO_PROTECT.map(({ id }) => id).toSorted()).toEqual(FIVE);
});
