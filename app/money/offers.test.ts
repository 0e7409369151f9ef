import { expect, test } from "vitest";
import { listOffers } from "./offers.server.ts";

test("the public page names the cheapest price of each platform, and what it counts", () => {
  const offers = listOffers().map(({ id, cents, upTo, item }) => [id, cents, upTo, item?.many ?? null]);
  expect(Object.fromEntries(offers.map(([id, ...rest]) => [id, rest]))).toMatchObject({
    github: [1_200, 10, "repositories"],
    gitlab: [1_200, 10, "projects"],
    trello: [1_000, 10, "boards"],
    notion: [1_000, null, "workspaces"],
    jira: [250, null, null],
  });
});
