import { expect, test } from "vitest";
import { describeMove } from "./describe-move.ts";

test("an operator reads what a move does, and when to call again", () => {
  const until = Date.UTC(2026, 10, 3, 9);
  expect(
    [
      { type: "copied" as const, changed: 7, isClosed: false },
      { type: "copied" as const, changed: 0, isClosed: true },
      { type: "moved" as const, source: "DE" as const, target: "DE_2" as const },
      { type: "waits" as const, shard: "DE" as const, until },
      { type: "removed" as const, shard: "DE" as const, rows: 12 },
    ].map(describeMove),
  ).toEqual([
    "\u00b7 7 rows were made equal, the organisation works on.",
    "\u00b7 0 rows were made equal, the organisation cannot write.",
    "\u2713 It moved from DE to DE_2. Call again in an hour to remove what it left.",
    "\u00b7 Its rows in DE can be removed from 2026-11-03T09:00:00.000Z on.",
    "\u2713 12 rows were removed from DE.",
  ]);
});
