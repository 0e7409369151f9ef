import { expect, test } from "vitest";
import { tallyRebuild } from "./rebuild-tally.ts";

const of = { organisationId: "org_a", itemId: "itm_a" };

test("a rebuild says what it did, and names each thing that it left out", () => {
  const tally = tallyRebuild();
  expect(tally.note({ type: "rebuilt", ...of, versions: 3 })).toBeNull();
  expect(tally.note({ type: "present", ...of })).toBeNull();
  expect(tally.note({ type: "erased", ...of })).toBeNull();
  expect(tally.isWhole()).toBe(true);
  expect(tally.text()).toBe(
    "1 items with 3 versions were rebuilt, 1 were there already, 1 had been erased. Nothing was left out.",
  );
  expect(tally.note({ type: "problem", ...of, message: "It is cut." })).toBe(
    "\u2717 org_a/itm_a: It is cut.",
  );
  expect(tally.note({ type: "problem", ...of, itemId: null, message: "No key." })).toBe(
    "\u2717 org_a: No key.",
  );
  expect(tally.isWhole()).toBe(false);
  expect(tally.text()).toContain("Left out: 2, see above.");
});
