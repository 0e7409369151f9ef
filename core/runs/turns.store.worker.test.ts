import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { run } from "#core/database/ledger/index.ts";
import { emptyEverything } from "#tests/harness/empty-bindings.ts";
import { addRun, ledger } from "#tests/harness/ledger-rows.ts";
import { QUEUE_PATIENCE_MS, RUNS_OF_AN_ACCOUNT, TURN_PATIENCE_MS } from "./limits.ts";
import { claimRun, findRun, listLostRuns } from "./runs.store.ts";
import { takeNextTurn } from "./turns.store.ts";

const NOW = 1_000_000;
const claim = (runId: string) => claimRun(ledger, { runId, epoch: 1, leaseUntil: NOW + 60_000, now: NOW });
const queued = (id: string, more: Partial<Parameters<typeof addRun>[0]> = {}) =>
  addRun({ id, itemId: `itm_${id}`, status: "queued", leaseUntil: NOW, ...more });

beforeEach(async () => {
  await emptyEverything();
  for (let i = 0; i < RUNS_OF_AN_ACCOUNT; i++) await addRun({ id: `busy_${i}`, itemId: `itm_busy_${i}` });
});

test("runs beyond an account's limit wait; other accounts and interactive kinds do not", async () => {
  await queued("late");
  await queued("check", { kind: "verify" });
  await queued("repack", { kind: "repack" });
  await queued("unclaimed");
  await queued("other", { connectionId: "con_b" });
  await queued("restore", { kind: "restore" });
  expect(await claim("late")).toBeNull();
  expect(await claim("check")).toBeNull();
  expect(await claim("repack")).toBeNull();
  expect(await claim("other")).toMatchObject({ id: "other", status: "running" });
  expect(await claim("restore")).toMatchObject({ id: "restore" });
  for (const id of ["late", "check", "repack"]) {
    const aside = { status: "queued", epoch: 1, waitsTurn: true, leaseUntil: NOW + TURN_PATIENCE_MS };
    expect(await findRun(ledger, id)).toMatchObject(aside);
  }
  expect(await findRun(ledger, "unclaimed")).toMatchObject({ waitsTurn: false, leaseUntil: NOW });
  // A crashed run does not block itself.
  expect(await claim("busy_0")).toMatchObject({ id: "busy_0", epoch: 2 });
});

test("turns go to backups first, oldest first, each once", async () => {
  await queued("check", { kind: "verify", createdAt: 1 });
  await queued("young", { createdAt: 9 });
  await queued("old", { createdAt: 5 });
  for (const id of ["check", "young", "old"]) expect(await claim(id)).toBeNull();
  expect(await takeNextTurn(ledger, "con_b", NOW)).toBeNull();
  const taken = await Promise.all([1, 2, 3, 4].map(() => takeNextTurn(ledger, "con_a", NOW)));
  expect(taken).toEqual([
    { id: "old", kind: "backup", epoch: 1 },
    { id: "young", kind: "backup", epoch: 1 },
    { id: "check", kind: "verify", epoch: 1 },
    null,
  ]);
  // The sweep finds a run whose message was lost.
  expect(await listLostRuns(ledger, NOW + QUEUE_PATIENCE_MS - 1, 10)).not.toContainEqual(
    expect.objectContaining({ id: "old" }),
  );
  expect(await listLostRuns(ledger, NOW + QUEUE_PATIENCE_MS, 10)).toContainEqual(
    expect.objectContaining({ id: "old" }),
  );
});

test("a run that works waits for no turn any more", async () => {
  await queued("late");
  expect(await claim("late")).toBeNull();
  await ledger.update(run).set({ status: "succeeded" }).where(eq(run.id, "busy_0"));
  expect(await claim("late")).toMatchObject({ status: "running" });
  expect(await takeNextTurn(ledger, "con_a", NOW)).toBeNull();
});
