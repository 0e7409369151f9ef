import { afterEach, beforeEach, expect, test } from "vitest";
import { HOUR_MS } from "#core/kernel/clock.ts";
import { listOwnedTables, move, openTwoLedgers, rowsOf, type TwoLedgers } from "#tests/harness/two-ledgers.ts";

let t: TwoLedgers;
let organisationId: string;
beforeEach(async () => {
  t = await openTwoLedgers();
  organisationId = t.world.member.organisationId;
});
afterEach(() => t.close());

test("an organisation moves with every row, and those of others stay", async () => {
  const before = await rowsOf(t.first, organisationId);
  expect(Object.keys(before)).toEqual(await listOwnedTables(t.first));
  const events = await move(t.fresh(), organisationId, "DE_2");
  expect(events.map(({ type }) => type)).toEqual(["copied", "copied", "moved"]);
  expect(await rowsOf(t.second, organisationId)).toEqual(before);
  t.world.clock.advance(HOUR_MS);
  console.log(await move(t.fresh(), organisationId, "DE_2"));
  expect(await rowsOf(t.first, organisationId)).toEqual({});
});
