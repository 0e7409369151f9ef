import { expect, test } from "vitest";
import { applyJobEvent, jobsFromWelcome, NO_JOBS, type RunningJob } from "#app/live/running-jobs.ts";
import type { RunProgress } from "#core/inventory/views.ts";
import { progressOf, statusEvent } from "#tests/harness/view-fixtures.ts";
import { endedSince, pillState } from "./pill-state.ts";

const NOW = Date.UTC(2026, 10, 20, 14, 29);
const reading = {
  now: NOW,
  timeZone: "UTC",
  labelOf: () => "GitHub",
  nameOf: () => "carrier-sync" as string | null,
};
const job = (over: Partial<RunProgress> = {}): RunningJob => ({
  platform: "github",
  id: "itm_1",
  progress: progressOf({ startedAt: NOW - 62_000, expectedEndAt: NOW + 38_000, ...over }),
});
const waits = (over: Partial<RunProgress> = {}) =>
  job({ status: "queued", waitingUntil: NOW + 720_000, ...over });

test("[P-189] one run is shown by its name and how far it is, and by its badge until the name is known", () => {
  expect(pillState([job()], null, reading)).toEqual({ kind: "running", words: "carrier-sync", percent: 62 });
  const unknown = { ...reading, nameOf: () => null };
  expect(pillState([job({ expectedEndAt: null })], null, unknown)).toEqual({
    kind: "running",
    words: "1 backup",
    percent: null,
  });
});

test("[P-190] [P-191] [P-192] several runs are shown by their badge and the share of the whole work", () => {
  const words = (...jobs: RunningJob[]) => pillState(jobs, null, reading);
  expect(words(job(), job())).toEqual({ kind: "running", words: "2 backups", percent: 62 });
  expect(words(job({ kind: "restore" }), job())).toMatchObject({ words: "2 backups and restores" });
  expect(words(job(), waits())).toMatchObject({ kind: "running" });
});

test("only waiting runs name the provider and the earliest time, or the retry", () => {
  expect(pillState([waits({ waitingUntil: NOW + 999_999 }), waits()], null, reading)).toEqual({
    kind: "waiting",
    words: "GitHub from 14:41",
  });
  expect(pillState([waits({ fault: "502" })], null, reading)).toEqual({
    kind: "waiting",
    words: "Again at 14:41",
  });
});

test("[P-193] what has ended is told once nothing runs, and a failure is marked", () => {
  const ended = (backups: number, restores: number, failed: number) =>
    pillState([job({ kind: "verify" })], { backups, restores, failed }, reading);
  expect(ended(18, 0, 0)).toEqual({ kind: "done", words: "18 backed up" });
  expect(ended(1, 2, 0)).toEqual({ kind: "done", words: "1 backed up, 2 restored" });
  expect(ended(17, 0, 1)).toEqual({ kind: "failed", words: "17 backed up, 1 failed" });
  expect(ended(0, 0, 0)).toEqual({ kind: "none" });
  expect(pillState([], null, reading)).toEqual({ kind: "none" });
});

test("ends are counted once, over a new connection too; a run that ended with its item is no failure", () => {
  let state = applyJobEvent(NO_JOBS, statusEvent());
  state = applyJobEvent(state, statusEvent());
  state = applyJobEvent(state, statusEvent({ runId: "run_2", type: "restore" }));
  state = applyJobEvent(state, statusEvent({ runId: "run_3", status: "failed", errorText: "no" }));
  state = applyJobEvent(state, statusEvent({ runId: "run_4", status: "failed", errorText: null }));
  expect(state.tally).toEqual({ backups: 1, restores: 1, failed: 1 });
  const welcome = { method: "welcome", seq: 1, newestAt: 0, running: [] } as const;
  expect(jobsFromWelcome({ ...welcome, running: [] }, state.tally).tally).toBe(state.tally);
  expect(endedSince(state.tally, { backups: 1, restores: 0, failed: 1 })).toEqual({
    backups: 0,
    restores: 1,
    failed: 0,
  });
});
