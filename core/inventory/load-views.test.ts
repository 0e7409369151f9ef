import { expect, test } from "vitest";
import { meanDuration, progressOf } from "./load-views.ts";

const runOf = (over: Partial<Parameters<typeof progressOf>[0]> = {}) => ({
  id: "run_1",
  kind: "backup" as const,
  status: "queued",
  phase: "Receiving objects",
  done: 42,
  total: 100,
  unit: "objects",
  bytesRead: 9,
  startedAt: 1_000,
  waitingUntil: null,
  expectedEndAt: null,
  errorText: null,
  leaseUntil: null,
  ...over,
});

test("a run queued between two slices shows the same progress as a working one", () => {
  const working = progressOf(runOf({ status: "running" }), 5_000, 0);
  expect(progressOf(runOf(), 5_000, 0)).toEqual(working);
  expect(working).toMatchObject({ status: "running", done: 42, expectedEndAt: 6_000 });
});

test("a run without progress is waiting, even if it was claimed briefly", () => {
  expect(progressOf(runOf({ phase: null, startedAt: null }), null, 0).status).toBe("queued");
  expect(progressOf(runOf({ phase: null }), null, 0).status).toBe("queued");
});

test("a working run whose lease has expired is shown as resuming", () => {
  const phaseAt = (now: number) => progressOf(runOf({ status: "running", leaseUntil: 50 }), null, now).phase;
  expect([phaseAt(50), phaseAt(51)]).toEqual(["Receiving objects", "Resuming"]);
});

test("a fault is shown only while the run waits because of it", () => {
  const resting = { waitingUntil: 9_000, errorText: "GitHub answered 502." };
  expect(progressOf(runOf(resting), null, 0)).toMatchObject({
    status: "queued",
    fault: "GitHub answered 502.",
  });
  expect(progressOf(runOf({ ...resting, status: "running", waitingUntil: null }), null, 0).fault).toBeNull();
});

test("the expected end is computed from the item's last successful runs of that kind", () => {
  const took = (ms: number, over: object = {}) => ({
    itemId: "itm_1",
    kind: "backup" as const,
    status: "succeeded",
    startedAt: 1_000,
    finishedAt: 1_000 + ms,
    ...over,
  });
  const open = { itemId: "itm_1", kind: "backup" as const };
  const others = [took(9, { itemId: "itm_2" }), took(9, { kind: "restore" }), took(9, { status: "failed" })];
  expect(meanDuration([took(900_000), took(10), took(20), took(30), ...others], open)).toBe(20);
  expect(meanDuration(others, open)).toBeNull();
});
