import { expect, test } from "vitest";
import { HOUR_MS } from "#core/kernel/clock.ts";
import { type DayTally, dayCells, dayHours, NO_TALLY } from "./day-cells.ts";

const days = dayHours(Date.UTC(2026, 10, 20, 14), "Europe/Berlin", 4);
const facts = { failing: 0, active: 5, sinceDate: "2026-11-01", runsADay: 1 };
const tally = (each: Partial<DayTally>): DayTally => ({ ...NO_TALLY, ...each });

test("the days follow the time zone, also across the end of summer time", () => {
  expect(days.map(({ date }) => date)).toEqual(["2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20"]);
  expect(days[1]!.from * HOUR_MS).toBe(Date.UTC(2026, 10, 17, 23));
  const autumn = dayHours(Date.UTC(2026, 9, 26, 12), "Europe/Berlin", 3);
  expect(autumn[1]!.until - autumn[1]!.from).toBe(25);
});

test("a day is good, retried, failed or missed, and days before the account and today are empty", () => {
  const cells = dayCells(
    days,
    new Map([
      ["2026-11-17", tally({ succeeded: 5, failed: 1, broke: 1, recovered: 1 })],
      ["2026-11-18", tally({ succeeded: 5 })],
    ]),
    facts,
  );
  expect(cells.map(({ state }) => state)).toEqual(["retried", "good", "missed", "none"]);
  const young = dayCells(days, new Map(), { ...facts, sinceDate: "2026-11-19" });
  expect(young.map(({ state }) => state)).toEqual(["none", "none", "missed", "none"]);
});

test("how many items failed on earlier days follows from how many fail now", () => {
  const cells = dayCells(
    days,
    new Map([
      ["2026-11-17", tally({ succeeded: 5 })],
      ["2026-11-18", tally({ succeeded: 3, failed: 2, broke: 2 })],
      ["2026-11-19", tally({ succeeded: 4, failed: 1, recovered: 1 })],
      ["2026-11-20", tally({ succeeded: 4, failed: 1 })],
    ]),
    { ...facts, failing: 1 },
  );
  expect(cells.map(({ failing }) => failing)).toEqual([0, 2, 1, 1]);
  expect(cells.map(({ state }) => state)).toEqual(["good", "failed", "failed", "failed"]);
});

test("two runs a day draw two cells", () => {
  const made = new Map([["2026-11-20", tally({ succeeded: 3 })]]);
  expect(dayCells(days, made, { ...facts, runsADay: 2 }).at(-1)).toMatchObject({
    state: "good",
    versions: 2,
  });
});
