import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { item, run } from "#core/database/ledger/index.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#core/kernel/clock.ts";
import { UnreadableCursorError } from "#core/kernel/stored-json.ts";
import type { LiveEvent } from "#core/live/events.schema.ts";
import { emptyEverything } from "#tests/harness/empty-bindings.ts";
import { addItem, addRun, columnsOf, ITEM, ledger, ORGANISATION } from "#tests/harness/ledger-rows.ts";
import { buildServices } from "#workers/services.ts";
import { JOB_OF } from "./job-of.ts";
import { LEASE_MS, MAX_CLAIMS, SLICE_MS, SLICE_QUERIES, SLICE_REQUESTS } from "./limits.ts";
import { LostRunError, type RunSlice, SliceEndError } from "./open-slice.ts";
import type { RunKind } from "./run-row.ts";
import { announceEnd, runSlice } from "./run-slice.ts";
import { findRun } from "./runs.store.ts";
import { sweepLostRuns } from "./sweep.ts";

const NOW = Date.UTC(2026, 10, 3);

beforeEach(emptyEverything);

/** The services of a consumer, with a clock that only the test moves. */
function open() {
  const clock = { at: NOW, now: () => clock.at };
  const sent: { message: unknown; delaySeconds: number | undefined }[] = [];
  const events: LiveEvent[] = [];
  const services = {
    ...buildServices(env),
    clock,
    queue: {
      send: async (messages: readonly unknown[], options?: { delaySeconds?: number }) =>
        void sent.push(...messages.map((message) => ({ message, delaySeconds: options?.delaySeconds }))),
    },
    live: {
      publish: async (organisationId: string, published: readonly LiveEvent[]) => {
        expect(organisationId).toBe(ORGANISATION);
        events.push(...published);
      },
      disconnect: async () => {},
    },
  };
  const slice = async (
    work: (slice: RunSlice) => Promise<void>,
    plan: Partial<Parameters<typeof runSlice>[2]> = {},
  ) => {
    let failed: unknown = null;
    const order = { region: "DE", organisationId: ORGANISATION, runId: "run_a", epoch: 1 } as const;
    await runSlice(services, order, { job: "back-up-item", locks: null, ...plan }, (slice) =>
      work(slice).catch((cause: unknown) => {
        // A slice settles whatever its work throws, also what an expectation throws.
        if (cause instanceof Error && cause.name === "AssertionError") failed = cause;
        throw cause;
      }),
    );
    if (failed !== null) throw failed;
  };
  return { clock, sent, events, services, slice };
}

const queued = {
  id: "run_a",
  status: "queued",
  phase: "Reading",
  done: 4,
  total: 9,
  unit: "objects",
  createdAt: NOW,
} as const;
const progress = (done: number) => ({ phase: "Storing", done, total: 10, unit: "items" as const });
const message = {
  job: "back-up-item",
  payload: { region: "DE", organisationId: ORGANISATION, runId: "run_a", epoch: 2 },
};

test("a slice claims its run, continues from its cursor and announces it; a repeated message does nothing", async () => {
  const { slice, events } = open();
  await addRun({ ...queued, bytesRead: 70, expectedEndAt: NOW + 5 });
  let slices = 0;
  const work = async () => {
    slices += 1;
  };
  await slice(work);
  await slice(work);
  expect(slices).toBe(1);
  expect(await findRun(ledger, "run_a")).toMatchObject({
    ...{ status: "running", epoch: 2, attempts: 1, startedAt: NOW, leaseUntil: NOW + LEASE_MS },
    ...{ phase: "Reading", done: 4, total: 9, unit: "objects", bytesRead: 70 },
  });
  expect(events).toEqual([
    {
      method: "item-progress",
      platform: "github",
      id: ITEM,
      progress: {
        ...{ runId: "run_a", kind: "backup", phase: "Reading", done: 4, total: 9, unit: "objects" },
        ...{ bytesRead: 70, startedAt: NOW, expectedEndAt: NOW + 5 },
        ...{ status: "running", waitingUntil: null, fault: null },
      },
    },
  ]);
});

test("progress is written and sent at most every two seconds, with bytes read and a renewed lease", async () => {
  const { slice, events, clock } = open();
  await addRun({ ...queued, phase: null });
  await slice(async (slice) => {
    expect(events).toMatchObject([{ progress: { phase: "Starting" } }]);
    clock.at = NOW + 2 * SECOND_MS - 1;
    await slice.progress(progress(5));
    expect(await findRun(ledger, "run_a")).toMatchObject({ done: 4 });
    slice.countBytes(30);
    slice.countBytes(3);
    expect(slice.bytesRead()).toBe(33);
    clock.at = NOW + 2 * SECOND_MS;
    await slice.progress(progress(6));
    expect(await findRun(ledger, "run_a")).toMatchObject({
      ...{
        phase: "Storing",
        done: 6,
        total: 10,
        unit: "items",
        bytesRead: 33,
        leaseUntil: clock.at + LEASE_MS,
      },
    });
    expect(events).toHaveLength(2);
  });
});

test("progress from inside a stream is written in order, and not before two seconds", async () => {
  const { slice, clock, events } = open();
  await addRun(queued);
  await slice(async (slice) => {
    clock.at = NOW + SECOND_MS;
    slice.note(progress(5));
    await findRun(ledger, "run_a");
    expect(events).toHaveLength(1);
    clock.at = NOW + 2 * SECOND_MS;
    slice.note(progress(6));
    await expect.poll(() => events.length).toBe(2);
    clock.at = NOW + 4 * SECOND_MS;
    await slice.progress(progress(7));
    expect(await findRun(ledger, "run_a")).toMatchObject({ done: 7 });
    expect(events.map((event) => event.method === "item-progress" && event.progress.done)).toEqual([4, 6, 7]);
  });
});

test("the expected end comes from the item's last runs; the run's own plan takes precedence", async () => {
  const { slice, events, clock } = open();
  await addRun(queued);
  const good = { status: "succeeded", startedAt: 100 } as const;
  await addRun({ id: "run_1", ...good, finishedAt: 110 });
  await addRun({ id: "run_2", ...good, finishedAt: 121 });
  await slice(async (slice) => {
    await slice.expectEnd(NOW + 99);
    clock.at = NOW + 2 * SECOND_MS;
    await slice.progress(progress(5));
  });
  const ends = events.map((event) => event.method === "item-progress" && event.progress.expectedEndAt);
  expect(ends).toEqual([NOW + 16, NOW + 99]);
  expect(await findRun(ledger, "run_a")).toMatchObject({ expectedEndAt: NOW + 99 });
});

test("a slice is over when its time, requests or queries are used up", async () => {
  const { slice, clock } = open();
  const isOverAfter = async (spend: (slice: RunSlice) => unknown) => {
    await ledger.delete(run);
    await addRun(queued);
    clock.at = NOW;
    let isOver: boolean | null = null;
    await slice(async (slice) => {
      await spend(slice);
      isOver = slice.isOver();
    });
    return isOver;
  };
  const requests = (count: number) => (slice: RunSlice) => {
    for (let n = 0; n < count; n++) slice.countRequest();
  };
  // One query wrote the first progress.
  expect(await isOverAfter(() => (clock.at = NOW + SLICE_MS))).toBe(false);
  expect(await isOverAfter(() => (clock.at = NOW + SLICE_MS + 1))).toBe(true);
  expect(await isOverAfter(requests(SLICE_REQUESTS - 1))).toBe(false);
  expect(await isOverAfter(requests(SLICE_REQUESTS))).toBe(true);
  expect(await isOverAfter((slice) => slice.countQueries(SLICE_QUERIES - 1))).toBe(false);
  expect(await isOverAfter((slice) => slice.countQueries(SLICE_QUERIES))).toBe(true);
  const storesLast = async (slice: RunSlice) => {
    slice.countQueries(SLICE_QUERIES - 1);
    await slice.checkpoint({ at: 1 });
  };
  expect(await isOverAfter(storesLast)).toBe(true);
});

test("work whose slice is over stores its cursor and continues at once, without counting a fault", async () => {
  const { slice, sent } = open();
  await addRun({ ...queued, attempts: 3 });
  await slice(async () => {
    throw new SliceEndError({ at: 7 });
  });
  expect(await findRun(ledger, "run_a")).toMatchObject({
    ...{ status: "queued", cursor: { at: 7 }, attempts: 0, waitingUntil: null, errorText: null },
    ...{ advancedAt: NOW, advancedAttempt: 0, leaseUntil: NOW + MINUTE_MS },
  });
  expect(sent).toEqual([{ message, delaySeconds: 0 }]);
});

test("a temporary fault is retried later, and open screens show when and why", async () => {
  const { slice, sent, events } = open();
  await addRun(queued);
  await slice(async () => {
    throw new ConnectorError("unavailable", "GitHub does not answer.");
  });
  expect(await findRun(ledger, "run_a")).toMatchObject({
    ...{ status: "queued", attempts: 1, waitingUntil: NOW + 15 * SECOND_MS },
    ...{ errorText: "GitHub does not answer." },
  });
  expect(sent).toEqual([{ message, delaySeconds: 15 }]);
  const waiting = { status: "queued", waitingUntil: NOW + 15 * SECOND_MS, fault: "GitHub does not answer." };
  expect(events.at(-1)).toMatchObject({ progress: waiting });
});

test("waiting for the platform is neither fault nor attempt, and a queue waits at most 12 hours", async () => {
  const { slice, sent, events } = open();
  await addRun(queued);
  const at = NOW + 20 * HOUR_MS;
  await slice(async () => {
    throw new ConnectorError("rate-limited", "Slow down.", { retryAt: at });
  });
  expect(await findRun(ledger, "run_a")).toMatchObject({ attempts: 0, waitingUntil: at, errorText: null });
  expect(sent).toEqual([{ message, delaySeconds: 12 * 60 * 60 }]);
  expect(events.at(-1)).toMatchObject({ progress: { waitingUntil: at, fault: null } });

  await ledger.update(run).set({ epoch: 1 });
  await slice(async () => {
    throw new ConnectorError("rate-limited", "Slow down.", { retryAt: NOW + HOUR_MS });
  });
  expect(sent.at(-1)).toEqual({ message, delaySeconds: 3_600 });
});

test("a run whose cursor is unreadable restarts at once, and open screens show the restart", async () => {
  const { slice, sent, events } = open();
  await addRun({ ...queued, cursor: { at: 7 }, expectedEndAt: NOW + 9 });
  await slice(async () => {
    throw new UnreadableCursorError("Another release wrote it.");
  });
  expect(await findRun(ledger, "run_a")).toMatchObject({
    ...{ status: "queued", cursor: null, restarts: 1, attempts: 0, done: 0, total: null },
    ...{ expectedEndAt: null, waitingUntil: null, leaseUntil: NOW + MINUTE_MS },
  });
  expect(sent).toEqual([{ message, delaySeconds: 0 }]);
  expect(events.at(-1)).toMatchObject({
    progress: {
      status: "queued",
      phase: "Starting again: Holdfast was updated",
      done: 0,
      total: null,
      unit: "objects",
      expectedEndAt: null,
    },
  });
});

test("a stored step counts as progress, an equal one does not; only faults since then count", async () => {
  const { slice, clock } = open();
  await addRun({ ...queued, attempts: 4, cursor: { at: 1 }, createdAt: NOW });
  const fail = async () => {
    throw new ConnectorError("unavailable", "GitHub does not answer.");
  };
  await slice(async (slice) => {
    clock.at = NOW + 1;
    await slice.checkpoint({ at: 2 });
    await fail();
  });
  expect(await findRun(ledger, "run_a")).toMatchObject({
    status: "queued",
    cursor: { at: 2 },
    advancedAt: NOW + 1,
  });

  await ledger.update(run).set({ epoch: 1, attempts: 4, advancedAttempt: 0 });
  await slice(async (slice) => {
    await slice.checkpoint({ at: 2 });
    await fail();
  });
  expect(await findRun(ledger, "run_a")).toMatchObject({ status: "failed", advancedAt: NOW + 1 });
});

test("work that stores something itself also counts as progress", async () => {
  const { slice } = open();
  await addRun({ ...queued, attempts: 4 });
  await slice(async (slice) => {
    slice.advanced();
    throw new ConnectorError("unavailable", "GitHub does not answer.");
  });
  // The wait is that after a first fault.
  const waitingUntil = NOW + 15 * SECOND_MS;
  expect(await findRun(ledger, "run_a")).toMatchObject({ status: "queued", waitingUntil });
});

test("a run that keeps crashing fails", async () => {
  const { slice } = open();
  let slices = 0;
  const work = async () => {
    slices += 1;
  };
  await addRun({ ...queued, attempts: MAX_CLAIMS - 1 });
  await slice(work);
  expect(slices).toBe(1);
  await ledger.update(run).set({ epoch: 1, attempts: MAX_CLAIMS });
  await slice(work);
  expect(slices).toBe(1);
  expect(await findRun(ledger, "run_a")).toMatchObject({
    ...{ status: "failed", errorCode: "err.internal" },
    errorText: "This run stopped again and again and was given up.",
  });
});

test("a run whose failure nobody takes note of ends all the same", async () => {
  const { slice } = open();
  const gone = async () => {
    throw new ConnectorError("gone", "It is gone.");
  };
  const onEnd = async () => {
    throw new Error("The hub does not answer.");
  };
  await addRun({ ...queued, attempts: MAX_CLAIMS - 1 });
  await expect(slice(gone, { onEnd })).rejects.toThrow("The hub does not answer.");
  expect(await findRun(ledger, "run_a")).toMatchObject({ status: "running", attempts: MAX_CLAIMS });
  await ledger.update(run).set({ epoch: 1, status: "queued" });
  await slice(gone, { onEnd });
  expect(await findRun(ledger, "run_a")).toMatchObject({ status: "failed" });
});

test("a permanent failure is recorded at the item and sent to open screens, with the statements of onEnd", async () => {
  const { slice, events, clock } = open();
  await addItem();
  await addRun(queued);
  const told: unknown[] = [];
  await slice(
    async () => {
      clock.at = NOW + 8;
      throw new ConnectorError("gone", "It is gone.");
    },
    {
      locks: "backup",
      onEnd: async (_, failure) => {
        told.push(failure);
        return [env.LEDGER_DE.prepare(`UPDATE item SET status = 'deleted' WHERE id = '${ITEM}'`)];
      },
    },
  );
  expect(told).toEqual([{ kind: "gone", code: "err.not.found", text: "It is gone." }]);
  expect(await columnsOf(item, "status, last_error, active_run_id")).toEqual([["deleted", null, null]]);
  expect(await findRun(ledger, "run_a")).toMatchObject({ status: "failed", finishedAt: NOW + 8 });
  expect(events.at(-1)).toEqual({
    ...{ method: "item-status", platform: "github", id: ITEM, type: "backup", status: "failed" },
    ...{ date: NOW + 8, data_size: 0, actionProcess: null, runId: "run_a", errorText: "It is gone." },
  });
});

test("a run whose item is busy waits 15 seconds without counting an attempt", async () => {
  const { slice, sent } = open();
  await addItem({ activeRunId: "run_b", activeRunKind: "restore" });
  await addRun({ id: "run_b", kind: "restore" });
  await addRun({ ...queued, attempts: 2 });
  await slice(() => Promise.reject(new Error("it must not run")), { locks: "backup" });
  expect(await findRun(ledger, "run_a")).toMatchObject({
    ...{ status: "queued", attempts: 2, waitingUntil: null, errorText: null },
    leaseUntil: NOW + 15 * SECOND_MS + MINUTE_MS,
  });
  expect(sent).toEqual([{ message, delaySeconds: 15 }]);
});

test("a run whose item is busy leaves its turn to the next one", async () => {
  const { slice, sent } = open();
  await addItem({ activeRunId: "run_b", activeRunKind: "restore" });
  await addRun({ id: "run_b", kind: "restore" });
  await addRun({ id: "run_next", itemId: "itm_b", status: "queued", epoch: 7, waitsTurn: true });
  await addRun(queued);
  await slice(() => Promise.reject(new Error("it must not run")), { locks: "backup" });
  const payload = { region: "DE", organisationId: ORGANISATION, runId: "run_next", epoch: 7 };
  expect(sent.map((each) => each.message)).toEqual([message, { job: "back-up-item", payload }]);
});

test("a slice whose run was taken over stops at its next step and leaves without a word", async () => {
  const { slice, sent, events, clock } = open();
  const ends = {
    fail: new ConnectorError("gone", "It is gone."),
    retry: new ConnectorError("unavailable", "GitHub does not answer."),
    handOver: new SliceEndError({ at: 7 }),
    startAgain: new UnreadableCursorError("Another release wrote it."),
  };
  for (const step of [
    "progress",
    "checkpoint",
    "note",
    ...(Object.keys(ends) as (keyof typeof ends)[]),
  ] as const) {
    await ledger.delete(run);
    await addRun(queued);
    clock.at = NOW;
    events.length = 0;
    let thrown: unknown = null;
    await slice(async (slice) => {
      await ledger.update(run).set({ epoch: 3 });
      clock.at = NOW + 2 * SECOND_MS;
      if (step in ends) throw ends[step as keyof typeof ends];
      if (step === "note") slice.note(progress(5));
      const act = step === "checkpoint" ? slice.checkpoint({ at: 2 }) : slice.progress(progress(6));
      await act.catch((cause: unknown) => {
        thrown = cause;
        throw cause;
      });
    });
    expect(thrown instanceof LostRunError).toBe(!(step in ends));
    expect(await findRun(ledger, "run_a")).toMatchObject({ status: "running", epoch: 3, cursor: null });
    expect(events).toHaveLength(1);
  }
  expect(sent).toEqual([]);
});

test("open screens are told only about the end of backups and restores", async () => {
  const { services, events } = open();
  for (const kind of Object.keys(JOB_OF) as RunKind[]) {
    const ended = { id: "run_a", organisationId: ORGANISATION, itemId: ITEM, platform: "github", kind };
    await announceEnd(services, ended, "success", { date: NOW, size: 5, errorText: null });
  }
  expect(events.map((event) => event.method === "item-status" && event.type)).toEqual(["backup", "restore"]);
  expect(events[0]).toMatchObject({ status: "success", data_size: 5, errorText: null });
});

test("a lost run is queued again with its kind's job, at most once per minute", async () => {
  const { services, sent, clock } = open();
  const jobs = Object.entries(JOB_OF);
  for (const [kind] of jobs) {
    await addRun({ id: `run_${kind}`, kind: kind as RunKind, leaseUntil: NOW, epoch: 3 });
  }
  expect(await sweepLostRuns(services, "DE")).toMatchObject({ done: jobs.length });
  for (const [kind, job] of jobs) {
    const owner = { region: "DE", organisationId: ORGANISATION };
    const offered = { job, payload: { ...owner, runId: `run_${kind}`, epoch: 3 } };
    expect(sent.map(({ message }) => message)).toContainEqual(offered);
  }
  expect(jobs).toEqual([
    ["backup", "back-up-item"],
    ["restore", "restore-item"],
    ["export", "build-export"],
    ["verify", "verify-snapshot"],
    ["delete", "delete-item"],
    ["repack", "repack-item"],
    ["replicate", "replicate-version"],
  ]);
  clock.at = NOW + MINUTE_MS - 1;
  expect(await sweepLostRuns(services, "DE")).toMatchObject({ done: 0 });
  clock.at = NOW + MINUTE_MS;
  expect(await sweepLostRuns(services, "DE")).toMatchObject({ done: jobs.length });
});

test("a run of an item that was removed as it was asked for fails at once, and does not wait for the item", async () => {
  const { slice, sent, events } = open();
  await addRun({ ...queued, kind: "restore" });
  const told: unknown[] = [];
  const onEnd = async (_: RunSlice, failure: unknown) => {
    told.push(failure);
    return [];
  };
  await slice(() => Promise.reject(new Error("It must not begin.")), { locks: "restore", onEnd });
  expect(await columnsOf(run, "status, error_code, error_text, finished_at")).toEqual([
    ["failed", "err.not.found", "The item is no longer protected.", NOW],
  ]);
  expect(told).toHaveLength(1);
  expect(sent).toEqual([]);
  expect(events.length).toBeGreaterThan(0);
});
