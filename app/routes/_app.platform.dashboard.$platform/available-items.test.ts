import { expect, test } from "vitest";
import type { AvailableItemView } from "#core/inventory/views.ts";
import { appendPage, type Chosen, choose, dialogPageSize, isNearEnd, limitText } from "./available-items.ts";

const item = (externalId: string, isAdded = false): AvailableItemView => ({
  externalId,
  name: externalId,
  fullName: `acme/${externalId}`,
  description: null,
  tags: [],
  isOpen: false,
  sizeHintBytes: null,
  isAdded,
});
const none: Chosen = new Map();

test("[P-447] the dialog's page size is the remaining quota between 20 and 100", () => {
  const quotas = [0, 5, 19, 20, 21, 60, 99, 100, 101, 500];
  expect(quotas.map(dialogPageSize)).toEqual([20, 20, 20, 20, 21, 60, 99, 100, 100, 100]);
});

test("[P-448] the next page loads within 150 px of the bottom", () => {
  expect(isNearEnd({ scrollTop: 449, clientHeight: 400, scrollHeight: 1000 })).toBe(false);
  expect(isNearEnd({ scrollTop: 450, clientHeight: 400, scrollHeight: 1000 })).toBe(true);
});

test("[P-282] no more items can be selected than the quota allows", () => {
  const two = choose(choose(none, item("a"), 2), item("b"), 2);
  expect(choose(two, item("c"), 2)).toBe(two);
  expect([...choose(two, item("a"), 2).keys()]).toEqual(["b"]);
  expect(choose(none, item("a"), 0).size).toBe(0);
});

test("protected items cannot be selected again", () => {
  expect(choose(none, item("a", true), 5).size).toBe(0);
});

test("an item that cannot be protected cannot be selected", () => {
  expect(choose(none, { ...item("a"), blocked: "Board type not applicable" }, 5).size).toBe(0);
});

test("an item that moved to the next page is not shown twice", () => {
  const shown = appendPage([item("a"), item("b")], [item("b"), item("c")]);
  expect(shown.map(({ externalId }) => externalId)).toEqual(["a", "b", "c"]);
});

test("[P-283] [P-285] [P-423] gists are limited like every kind; the owner gets a link, a sub-user only a message", () => {
  const gists = ["a", "b", "c"].map((externalId) => item(externalId));
  const chosen = gists.reduce<Chosen>((picked, gist) => choose(picked, gist, 2), new Map());
  expect([...chosen.keys()]).toEqual(["a", "b"]);
  const reached = "You have reached the backup limit on your current subscription.";
  for (const plan of ["essential", "pro"] as const) {
    expect(limitText(plan, true)).toBe(
      `${reached} Upgrade it to protect more, or delete what you no longer need.`,
    );
    expect(limitText(plan, false)).toBe(`${reached} Ask the owner of your organisation to raise it.`);
  }
  expect(limitText("trial", true)).toContain("Subscribe");
  expect(limitText("trial", false)).toContain("Ask the owner");
});
