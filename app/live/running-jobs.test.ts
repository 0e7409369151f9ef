import { expect, test } from "vitest";
import { jobWords } from "#app/copy/shell.ts";
import { badgeWords } from "#app/shell/pill-state.ts";
import type { RunProgress } from "#core/inventory/views.ts";
import type { LiveEvent } from "#core/live/events.schema.ts";
import { itemOf, progressEvent, progressOf, statusEvent } from "#tests/harness/view-fixtures.ts";
import {
  actionsOf,
  actionsOfItems,
  applyJobEvent,
  type JobBadge,
  jobBadge,
  jobsFromWelcome,
  jointPercent,
  NO_JOBS,
  runPercent,
} from "./running-jobs.ts";

const none: JobBadge = { kind: "none" };

test("[A-114] [P-055] items being added show their count and total, and disappear when all are added", () => {
  const event = (addedItems: number): LiveEvent => ({
    method: "items-adding",
    platform: "github",
    addedItems,
    totalItems: 18,
  });
  const adding = applyJobEvent(NO_JOBS, event(7));
  expect(adding.adding).toEqual({ github: { added: 7, total: 18 } });
  expect(applyJobEvent(adding, event(8)).adding).toEqual({ github: { added: 8, total: 18 } });
  expect(jobWords.adding(7, 18)).toBe("adding 7 / 18 items");
  expect(applyJobEvent(adding, event(18)).adding).toEqual({});
});

test("items being added to two accounts of a platform are counted separately", () => {
  const event = (connectionId: string): LiveEvent => ({
    method: "items-adding",
    platform: "github",
    connectionId,
    addedItems: 1,
    totalItems: 2,
  });
  const state = applyJobEvent(applyJobEvent(NO_JOBS, event("con_1")), event("con_2"));
  expect(Object.keys(state.adding)).toEqual(["con_1", "con_2"]);
  expect(Object.keys(applyJobEvent(state, { ...event("con_1"), addedItems: 2 } as LiveEvent).adding)).toEqual(
    ["con_2"],
  );
});

test("[P-188] items with an action or a pending first backup count as in progress", () => {
  const items = [
    itemOf(),
    itemOf({ activeRun: progressOf({ kind: "restore" }) }),
    itemOf({ status: "initialized" }),
    itemOf({ status: "initialized", activeRun: progressOf() }),
    itemOf({ activeRun: progressOf({ kind: "verify" }) }),
  ];
  expect(actionsOfItems(items)).toEqual(["restore", "backup", "backup"]);
});

test("[P-189] one action shows the single badge", () => {
  expect(jobBadge(["backup"], none)).toEqual({ kind: "single", type: "backup" });
  expect(jobBadge(["restore"], none)).toEqual({ kind: "single", type: "restore" });
});

test("[P-190] [P-191] [P-192] several show the restore, the backup or the mixed badge", () => {
  expect(jobBadge(["restore", "restore"], none)).toEqual({ kind: "restore", count: 2 });
  expect(jobBadge(["backup", "backup", "backup"], none)).toEqual({ kind: "backup", count: 3 });
  expect(jobBadge(["backup", "restore"], none)).toEqual({ kind: "mixed", count: 2 });
  const wordsOf = (...actions: ("backup" | "restore")[]) => badgeWords(jobBadge(actions, none));
  expect(wordsOf("restore", "restore")).toBe("2 restores");
  expect(wordsOf("backup", "backup", "backup")).toBe("3 backups");
  expect(wordsOf("backup", "restore")).toBe("2 backups and restores");
});

test("[P-193] the badge completes when nothing remains, and only if there was something", () => {
  expect(jobBadge([], { kind: "mixed", count: 2 })).toEqual({ kind: "complete" });
  expect(jobBadge([], none)).toEqual(none);
  expect(jobBadge(["backup"], { kind: "complete" })).toEqual({ kind: "single", type: "backup" });
});

test("a welcome replaces the state; events start, update and end jobs", () => {
  const stale = applyJobEvent(NO_JOBS, progressEvent({ runId: "run_old" }));
  expect(Object.keys(stale.jobs)).toEqual(["run_old"]);
  const welcomed = jobsFromWelcome({
    method: "welcome",
    seq: 4,
    newestAt: 0,
    running: [{ platform: "github", id: "itm_1", progress: progressOf() }],
  });
  expect(Object.keys(welcomed.jobs)).toEqual(["run_1"]);
  const more = applyJobEvent(
    welcomed,
    statusEvent({ runId: "run_2", id: "itm_2", type: "restore", status: "queued" }),
  );
  expect(actionsOf(more, null)).toEqual(["backup", "restore"]);
  expect(actionsOf(more, "gitlab")).toEqual([]);
  const ended = applyJobEvent(more, statusEvent({ runId: "run_1" }));
  expect(actionsOf(ended, "github")).toEqual(["restore"]);
});

test("progress that arrives after the end does not revive the run", () => {
  const ended = applyJobEvent(applyJobEvent(NO_JOBS, progressEvent()), statusEvent());
  expect(applyJobEvent(ended, progressEvent({ done: 100 }))).toBe(ended);
});

test("a status keeps earlier progress", () => {
  const state = applyJobEvent(applyJobEvent(NO_JOBS, progressEvent()), statusEvent({ status: "running" }));
  expect(state.jobs.run_1?.progress.done).toBe(42);
});

test("a bar measures the whole run by its expected end, whatever its part has done, and never shows 100 while it runs", () => {
  const run = (over: Partial<RunProgress>) => progressOf({ startedAt: 1_000, expectedEndAt: 3_000, ...over });
  expect(runPercent(run({ done: 100, total: 100 }), 2_000)).toBe(50);
  expect(runPercent(run({ done: 0, total: null }), 2_000)).toBe(50);
  expect([runPercent(run({}), 0), runPercent(run({}), 99_000)]).toEqual([0, 99]);
  expect(runPercent(run({ expectedEndAt: null }), 2_000)).toBeNull();
  expect(runPercent(run({ startedAt: null }), 2_000)).toBeNull();
});

test("several runs show the share of their whole work, once each has an expected end", () => {
  const job = (over: Partial<RunProgress>) => ({
    platform: "github",
    id: "itm_1",
    progress: progressOf({ startedAt: 0, ...over }),
  });
  expect(jointPercent([], 500)).toBeNull();
  expect(jointPercent([job({ expectedEndAt: 1_000 }), job({ expectedEndAt: 3_000 })], 1_000)).toBe(50);
  expect(jointPercent([job({ expectedEndAt: 1_000 }), job({ expectedEndAt: null })], 500)).toBeNull();
  expect(jointPercent([job({ expectedEndAt: 1_000 }), job({ kind: "verify" })], 500)).toBe(50);
});
