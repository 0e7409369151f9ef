import { expect, test } from "vitest";
import type { RunSummary } from "./item-runs.store.ts";
import { type RibbonFacts, ribbonOf } from "./ribbon.ts";

const NOW = Date.parse("2026-11-20T13:26:00Z");
const at = (date: string, time = "02:00") => Date.parse(`${date}T${time}:00Z`);
const runOf = (date: string, more: Partial<RunSummary> = {}): RunSummary => ({
  id: `run_${date}`,
  itemId: "itm_1",
  kind: "backup",
  status: "succeeded",
  attempts: 1,
  createdAt: at(date),
  finishedAt: at(date, "02:10"),
  snapshotId: "snp_1",
  ...more,
});
const facts: RibbonFacts = {
  createdAt: at("2026-11-10"),
  isDaily: true,
  dailyChanges: [],
  isDeleted: false,
  runs: [],
  versionTimes: [],
};
const states = (change: Partial<Parameters<typeof ribbonOf>[0]>, days = 5) =>
  ribbonOf({ ...facts, ...change }, NOW, days, "Europe/Berlin").map(({ state }) => state);

test("each day has one state, the last is today, and today is never missed", () => {
  const runs = [
    runOf("2026-11-16"),
    runOf("2026-11-17", { attempts: 2 }),
    runOf("2026-11-18", { status: "failed" }),
    runOf("2026-11-20", { status: "running" }),
  ];
  const versionTimes = [at("2026-11-16"), at("2026-11-17")];
  const ribbon = ribbonOf({ ...facts, runs, versionTimes }, NOW, 5, "Europe/Berlin");
  expect(ribbon.map(({ date, state, versions }) => [date, state, versions])).toEqual([
    ["2026-11-16", "good", 1],
    ["2026-11-17", "retried", 1],
    ["2026-11-18", "failed", 0],
    ["2026-11-19", "missed", 0],
    ["2026-11-20", "running", 0],
  ]);
  expect(states({}).at(-1)).toBe("none");
});

test("an expired version stays as a pale good day", () => {
  expect(states({ runs: [runOf("2026-11-17")] })[1]).toBe("expired");
});

test("a failure followed by a success on the same day is a retry; two versions stack", () => {
  const runs = [
    runOf("2026-11-18", { status: "failed" }),
    runOf("2026-11-18"),
    runOf("2026-11-19"),
    runOf("2026-11-19"),
  ];
  const versionTimes = [at("2026-11-18"), at("2026-11-19"), at("2026-11-19", "14:00")];
  const ribbon = ribbonOf({ ...facts, runs, versionTimes }, NOW, 3, "Europe/Berlin");
  expect(ribbon.slice(0, 2).map(({ state, versions }) => [state, versions])).toEqual([
    ["retried", 1],
    ["good", 2],
  ]);
});

test("days before an item was added and after its end are empty", () => {
  const runs = [runOf("2026-11-17")];
  const versionTimes = [at("2026-11-17")];
  const added = { createdAt: at("2026-11-17"), runs, versionTimes };
  expect(states(added)).toEqual(["none", "good", "missed", "missed", "none"]);
  expect(states({ ...added, isDeleted: true })).toEqual(["none", "good", "none", "none", "none"]);
});

test("days with daily backups off are paused, even with a later backup", () => {
  const off = [at("2026-11-17", "12:00")];
  expect(states({ isDaily: false, dailyChanges: off })).toEqual([
    ...["missed", "paused", "paused", "paused", "none"],
  ]);
  const runs = [runOf("2026-11-16"), runOf("2026-11-18"), runOf("2026-11-20")];
  const versionTimes = runs.map((run) => run.createdAt);
  const onAgain = [...off, at("2026-11-19", "12:00")];
  expect(states({ runs, versionTimes, dailyChanges: onAgain })).toEqual([
    ...["good", "paused", "good", "paused", "good"],
  ]);
  const forgotten = [at("2026-11-16", "12:00"), ...onAgain];
  expect(states({ runs, versionTimes, dailyChanges: forgotten })[0]).toBe("good");
  expect(states({ dailyChanges: forgotten })[0]).toBe("missed");
});

test("a restore marks its day, whatever its backups did", () => {
  const runs = [
    runOf("2026-11-18", { kind: "restore" }),
    runOf("2026-11-19", { kind: "restore", status: "failed" }),
  ];
  const ribbon = ribbonOf({ ...facts, runs }, NOW, 3, "Europe/Berlin");
  expect(ribbon.map(({ state, isRestored }) => [state, isRestored])).toEqual([
    ["missed", true],
    ["missed", false],
    ["none", false],
  ]);
});

test("days follow the member's time zone without gaps or duplicates at clock changes", () => {
  const late = [runOf("2026-11-18", { createdAt: at("2026-11-18", "23:30") })];
  const versionTimes = [at("2026-11-18", "23:30")];
  expect(states({ runs: late, versionTimes }, 3)).toEqual(["missed", "good", "none"]);
  for (const now of ["2026-10-26T00:30:00Z", "2026-03-30T00:30:00Z", "2026-03-29T22:30:00Z"]) {
    for (const zone of ["Europe/Berlin", "America/New_York", "Pacific/Auckland", "UTC"]) {
      const dates = ribbonOf(facts, Date.parse(now), 30, zone).map(({ date }) => Date.parse(date));
      expect(dates.slice(1).map((date, i) => (date - dates[i]!) / 86_400_000)).toEqual(Array(29).fill(1));
    }
  }
});
