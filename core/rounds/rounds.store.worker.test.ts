import { beforeEach, expect, test } from "vitest";
import { schedule } from "#core/database/ledger/index.ts";
import { HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { emptyEverything } from "#tests/harness/empty-bindings.ts";
import {
  addItem,
  addManifest,
  addRun,
  addSnapshot,
  ledger,
  ORGANISATION,
} from "#tests/harness/ledger-rows.ts";
import { planOf } from "#tests/harness/query-plans.ts";
import { type RoundQuery, readRuns, runStatements } from "./rounds.store.ts";

const START = Date.UTC(2026, 10, 20);
const NOW = START + 14 * HOUR_MS;

const query: RoundQuery = {
  organisationId: ORGANISATION,
  connectionIds: ["con_a"],
  platforms: ["github"],
  scheduledIds: ["con_a"],
  now: NOW,
  start: START,
  end: START + 24 * HOUR_MS,
  done: { limit: 10, offset: 0 },
};

const at = (hour: number) => START + hour * HOUR_MS;

/** A run of an item, and the item. */
async function ran(id: string, row: Partial<Parameters<typeof addRun>[0]>, isNew = true) {
  const itemId = row.itemId ?? `itm_${id}`;
  if (isNew)
    await addItem({
      id: itemId,
      name: id,
      connectionId: row.connectionId ?? "con_a",
      organisationId: row.organisationId ?? ORGANISATION,
    });
  await addRun({ id: `run_${id}`, createdAt: at(1), startedAt: at(1), attempts: 1, ...row, itemId });
}

const due = (itemId: string, dueAt: number, connectionId = "con_a") =>
  ledger.insert(schedule).values({
    itemId,
    dueAt,
    periodMs: 24 * HOUR_MS,
    organisationId: ORGANISATION,
    connectionId,
    platform: "github",
  });

beforeEach(emptyEverything);

test("each item of the round counts once, by its newest backup, and the counts add up", async () => {
  await ran("good", { status: "succeeded", finishedAt: at(2) });
  await due("itm_good", at(25));
  await ran("retried", { status: "succeeded", attempts: 2, finishedAt: at(3) });
  await ran("again", { status: "failed", finishedAt: at(1), errorText: "no" });
  await ran(
    "again2",
    { itemId: "itm_again", status: "succeeded", createdAt: at(4), finishedAt: at(5) },
    false,
  );
  await ran("failed", { status: "failed", finishedAt: at(6), errorText: "GitHub answered 403." });
  await ran("yesterday", { status: "succeeded", createdAt: at(-1), finishedAt: at(-0.5) });
  await ran("overnight", { status: "succeeded", createdAt: at(-1), startedAt: at(-1), finishedAt: at(0.5) });
  await ran("running", { status: "running", startedAt: at(13) });
  await ran("slices", { status: "queued", startedAt: at(12), phase: "Issues" });
  await ran("waiting", { status: "queued", startedAt: at(11), waitingUntil: NOW + MINUTE_MS });
  await ran("ancient", { status: "running", createdAt: at(-24 * 9), startedAt: at(-24 * 9) });
  await ran("retry", { status: "queued", waitingUntil: NOW + MINUTE_MS, errorText: "502" });
  await ran("queued", { status: "queued", startedAt: null });
  await addItem({ id: "itm_later", name: "later" });
  await due("itm_later", at(23));
  await addItem({ id: "itm_tomorrow", name: "tomorrow" });
  await due("itm_tomorrow", at(26));
  const { counts, cells, nextDueAt } = await readRuns(ledger, query);
  expect(Object.fromEntries(cells.map(({ name, state }) => [name, state]))).toEqual({
    good: "good",
    overnight: "good",
    retried: "retried",
    again: "retried",
    failed: "failed",
    running: "running",
    slices: "running",
    ancient: "running",
    waiting: "waiting",
    retry: "queued",
    queued: "queued",
    later: "due",
  });
  expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(12);
  expect(counts.find(({ state }) => state === "due")).toMatchObject({ count: 1, lastAt: at(23) });
  expect(cells.find(({ name }) => name === "failed")?.errorText).toBe("GitHub answered 403.");
  expect(nextDueAt).toBe(at(23));
});

test("open runs come with the time that the last ones took; checks and other upkeep are left out", async () => {
  await ran("a", { status: "running", startedAt: at(13), createdBy: "usr_a" });
  for (const [id, minutes] of [
    ["old", 2],
    ["older", 4],
  ] as const)
    await ran(
      id,
      {
        itemId: "itm_a",
        status: "succeeded",
        createdAt: at(-40),
        startedAt: at(-40),
        finishedAt: at(-40) + minutes * MINUTE_MS,
      },
      false,
    );
  await ran("zip", { kind: "export", status: "queued", startedAt: null, createdAt: at(3) });
  await ran("back", { kind: "restore", status: "queued", startedAt: null, createdAt: at(2) });
  await ran("check", { kind: "verify", status: "running" });
  const { open } = await readRuns(ledger, query);
  expect(open.map(({ name, meanMs, isQueued, queued }) => [name, meanMs, isQueued, queued])).toEqual([
    ["a", 3 * MINUTE_MS, 0, 2],
    ["back", null, 1, 2],
    ["zip", null, 1, 2],
  ]);
});

test("the ended runs of today, newest first, by pages, with what their version holds", async () => {
  await ran("old", { status: "succeeded", createdAt: at(-5), finishedAt: at(-1) });
  await ran("first", { status: "succeeded", finishedAt: at(2), snapshotId: "snp" });
  await ran("second", { status: "failed", finishedAt: at(3), errorText: "no" });
  await ran("third", { kind: "export", status: "succeeded", finishedAt: at(4) });
  await ran("superseded", { status: "superseded", finishedAt: at(5) });
  await ran("upkeep", { kind: "repack", status: "succeeded", finishedAt: at(5) });
  await addManifest({ id: "man", itemId: "itm_first", completeness: { skipped: [], skippedCount: 2 } });
  await addSnapshot({ id: "snp", itemId: "itm_first", runId: "run_first", manifestId: "man", newBytes: 70 });
  const { done } = await readRuns(ledger, query);
  expect(done.map(({ name, total }) => [name, total])).toEqual([
    ["third", 3],
    ["second", 3],
    ["first", 3],
  ]);
  expect(done[2]).toMatchObject({ newBytes: 70, skipped: 2, errorText: null });
  const second = await readRuns(ledger, { ...query, done: { limit: 2, offset: 2 } });
  expect(second.done.map(({ name }) => name)).toEqual(["first"]);
});

test("backups that found nothing new are in the round and in the list, though their runs are folded", async () => {
  const folded = async (id: string, hour: number, attempts = 1, itemId = `itm_${id}`) =>
    addSnapshot({
      ...{ id: `snp_${id}`, itemId, runId: `run_${id}`, takenAt: at(hour), newBytes: 7 },
      ...{
        runTrigger: "schedule",
        runCreatedAt: at(hour),
        runStartedAt: at(hour),
        runFinishedAt: at(hour + 1),
      },
      runAttempts: attempts,
    });
  for (const id of ["good", "retried", "failed", "yesterday"]) await addItem({ id: `itm_${id}`, name: id });
  await addItem({ id: "itm_theirs", connectionId: "con_b" });
  await folded("good", -0.5);
  await folded("retried", 1, 2);
  await folded("earlier", 1, 1, "itm_failed");
  await ran("failed", { status: "failed", createdAt: at(3), finishedAt: at(4) }, false);
  await folded("yesterday", -3);
  await folded("theirs", 2);
  const { cells, done } = await readRuns(ledger, query);
  expect(cells.map(({ name, state, runId }) => [name, state, runId])).toEqual([
    ["good", "good", "run_good"],
    ["retried", "retried", "run_retried"],
    ["failed", "failed", "run_failed"],
  ]);
  expect(done.map(({ id, name, status, newBytes, total }) => [id, name, status, newBytes, total])).toEqual([
    ["run_failed", "failed", "failed", null, 4],
    ["run_retried", "retried", "succeeded", 7, 4],
    ["run_earlier", "failed", "succeeded", 7, 4],
    ["run_good", "good", "succeeded", 7, 4],
  ]);
});

test("nothing of another organisation or connection is read", async () => {
  await ran("theirs", { organisationId: "org_b", connectionId: "con_b", status: "running" });
  await ran("named", {
    organisationId: "org_b",
    connectionId: "con_a",
    status: "succeeded",
    finishedAt: at(2),
  });
  await ran("hidden", { connectionId: "con_c", status: "running" });
  await ran("gone", { connectionId: "con_c", status: "succeeded", finishedAt: at(2) });
  await due("itm_hidden", at(23), "con_c");
  expect(await readRuns(ledger, query)).toEqual({
    counts: [],
    cells: [],
    open: [],
    done: [],
    nextDueAt: null,
  });
});

test("each statement walks an index of the organisation's own rows", async () => {
  const texts: string[] = [];
  const spy = { $client: { prepare: (text: string) => ({ bind: () => texts.push(text) }) } };
  runStatements(spy as never, query);
  const steps = (await Promise.all(texts.map((text) => planOf(ledger.$client, text)))).flat();
  for (const index of ["run_activity", "run_open", "run_item", "schedule_connection", "item_name"])
    expect(steps.filter((step) => step.includes(index))).not.toEqual([]);
});
