import { expect, test } from "vitest";
import type { LiveEvent } from "#core/live/events.schema.ts";
import { cellOf, openRunOf, runsViewOf } from "#tests/harness/run-fixtures.ts";
import { progressEvent, statusEvent } from "#tests/harness/view-fixtures.ts";
import { applyRunsEvent, refetchesRuns } from "./apply-runs-event.ts";

const running = runsViewOf({
  cells: [cellOf(), cellOf({ itemId: "itm_2", runId: null, state: "due" })],
  running: [openRunOf()],
});
const queued = runsViewOf({
  cells: [cellOf({ state: "queued" })],
  queue: [openRunOf({ waitsTurn: true, progress: { status: "queued", startedAt: null } })],
  queueTotal: 1,
});

test("progress moves the bar of its run and no other", () => {
  const view = applyRunsEvent(running, progressEvent({ done: 43, phase: "Issues" }));
  expect(view.running[0]?.progress).toMatchObject({ done: 43, phase: "Issues" });
  expect(view.round).toBe(running.round);
  expect(applyRunsEvent(running, progressEvent({ runId: "run_9" }))).toBe(running);
});

test("a queued run that starts leaves the queue, and its cell is filled", () => {
  const view = applyRunsEvent(queued, progressEvent());
  expect([view.queue, view.queueTotal, view.running.length]).toEqual([[], 0, 1]);
  expect(view.running[0]?.waitsTurn).toBe(false);
  expect(view.round.cells?.[0]?.state).toBe("running");
  expect(view.round.counts).toMatchObject({ queued: 0, running: 1 });
});

test("a run that waits for the provider stays at work; one whose fault is retried goes to the queue", () => {
  const waiting = applyRunsEvent(running, progressEvent({ status: "queued", waitingUntil: 9_000 }));
  expect([waiting.running.length, waiting.round.counts.waiting]).toEqual([1, 1]);
  const fault = progressEvent({ status: "queued", waitingUntil: 9_000, fault: "GitHub answered 502." });
  const retried = applyRunsEvent(running, fault);
  expect([retried.running.length, retried.queueTotal, retried.round.counts.queued]).toEqual([0, 1, 1]);
});

test("the end of a backup takes its run away and counts its item, and the number of items stays", () => {
  const sum = (view: typeof running) => Object.values(view.round.counts).reduce((all, one) => all + one, 0);
  const good = applyRunsEvent(running, statusEvent());
  expect([good.running, good.round.cells?.[0]?.state]).toEqual([[], "good"]);
  expect(good.round.counts).toMatchObject({ running: 0, good: 1, due: 1 });
  const failed = applyRunsEvent(queued, statusEvent({ status: "failed", errorText: "GitHub answered 403." }));
  expect(failed.round.cells?.[0]).toMatchObject({ state: "failed", errorText: "GitHub answered 403." });
  expect([failed.queueTotal, failed.round.counts.failed]).toEqual([0, 1]);
  expect([sum(good), sum(failed)]).toEqual([sum(running), sum(queued)]);
  expect(applyRunsEvent(good, statusEvent())).toBe(good);
});

test("restores are no part of the round", () => {
  const restore = { progress: { kind: "restore" as const } };
  const view = runsViewOf({ cells: [cellOf()], running: [openRunOf(restore)] });
  const ended = applyRunsEvent(view, statusEvent({ type: "restore" }));
  expect([ended.running, ended.round]).toEqual([[], view.round]);
});

test("a round that is only counted waits for the next read", () => {
  const counted = { ...running, round: { ...running.round, cells: null } };
  expect(applyRunsEvent(counted, statusEvent()).round).toBe(counted.round);
});

test("the runs are read again when one is added, ends or is not known, and not for known progress or upkeep", () => {
  const item = { platform: "github", id: "itm_1", snapshotId: "snp" };
  const again: LiveEvent[] = [
    statusEvent(),
    statusEvent({ status: "queued" }),
    statusEvent({ status: "running", runId: "run_9" }),
    progressEvent({ runId: "run_9" }),
    progressEvent({ runId: "run_9", kind: "export" }),
    { method: "zip-status", ...item, status: "ready" },
    { method: "items-changed", platform: "github", ids: [] },
    { method: "connection-changed", platform: "github", connectionId: "con_1" },
  ];
  const others: LiveEvent[] = [
    progressEvent(),
    statusEvent({ status: "running" }),
    progressEvent({ runId: "run_9", kind: "verify" }),
    { method: "snapshot-verified", ...item, state: "verified", at: 1 },
    { method: "copy-status", ...item, status: "stored" },
    { method: "items-adding", platform: "github", addedItems: 1, totalItems: 2 },
    { method: "items-auto-added", platform: "github", names: [], count: 0, waiting: 0 },
  ];
  expect(again.map((event) => refetchesRuns(running, event))).toEqual(again.map(() => true));
  expect(others.map((event) => refetchesRuns(running, event))).toEqual(others.map(() => false));
  for (const event of [...again.slice(2), ...others.slice(2)])
    expect(applyRunsEvent(running, event)).toBe(running);
});
