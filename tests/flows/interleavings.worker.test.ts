import { env } from "cloudflare:workers";
import { afterAll, beforeEach, expect, test } from "vitest";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { moveDue, queueUserBackups } from "#core/backups/backups.store.ts";
import { publishVersion } from "#core/backups/publish-version.ts";
import { schedule } from "#core/database/ledger/index.ts";
import { commitTogether } from "#core/database/statements.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import {
  createRuns,
  type RunSlice,
  runSlice,
  SliceEndError,
  succeedRun,
  sweepLostRuns,
} from "#core/runs/index.ts";
import { type Dice, dice } from "#tests/harness/dice.ts";
import { emptyEverything } from "#tests/harness/empty-bindings.ts";
import { addItem, addObject, ITEM, ledger, ORGANISATION } from "#tests/harness/ledger-rows.ts";
import { isDeep, sampleOf, sweep } from "#tests/harness/sample.ts";
import { buildServices } from "#workers/services.ts";

/**
 * A model of one item. The platform changes, schedule and people request backups, consumers work in slices, die or meet
 * faults, and messages arrive late, twice or never, in an order that a seed chooses. The model knows what each version
 * saw, so that it can check their order. Everything else is the product's own: schedule, runs and commit.
 */

const HISTORIES = Array.from({ length: 5_000 }, (_, seed) => seed);
const A_RUN_TAKES = 10;
const STEPS = 60;

type Order = { region: "DE"; runId: string; epoch: number };
type Letter = { job: string; payload: Order };
type Outcome = "park" | "commit" | "fault" | "refusal" | "death";
type Worker = { go: (outcome: Outcome) => void; ended: Promise<void> };

beforeEach(emptyEverything);
afterAll(emptyEverything);

test("in every history versions are ordered by when their reading began, and an item has one open backup", async () => {
  await sweep(async () => {
    for (const seed of sampleOf(HISTORIES, isDeep() ? HISTORIES.length : A_RUN_TAKES))
      await liveThrough(seed);
  });
}, 7_200_000);

test("backups left open by an earlier release are ordered too", async () => {
  // Before the index, an item could have several open backups. The commit alone must keep the order.
  await env.LEDGER_DE.prepare("DROP INDEX run_open").run();
  try {
    await sweep(async () => {
      for (const seed of sampleOf(HISTORIES, isDeep() ? 500 : A_RUN_TAKES)) {
        await liveThrough(seed, { mayPileUp: true });
        await emptyEverything();
      }
    });
  } finally {
    await emptyEverything();
    await env.LEDGER_DE.prepare(
      "CREATE UNIQUE INDEX run_open ON run (item_id, CASE kind WHEN 'backup' THEN '' ELSE id END) WHERE finished_at IS NULL",
    ).run();
  }
}, 7_200_000);

async function liveThrough(seed: number, { mayPileUp = false } = {}): Promise<void> {
  await emptyEverything();
  const roll = dice(seed);
  const world = await openModel();
  for (let step = 0; step < STEPS; step++) {
    await oneOf(roll, [
      [3, async () => world.change()],
      [2, () => world.comeDue()],
      [2, () => world.ask()],
      [1, () => world.restore()],
      [5, () => world.deliver(roll)],
      [6, () => world.letWork(roll, OUTCOMES[roll(OUTCOMES.length)]!)],
      [2, () => world.sweep(roll(3) * MINUTE_MS)],
      [2, async () => world.wait(roll(20) * HOUR_MS)],
    ]);
    if (!mayPileUp) expect([seed, step, (await world.openBackups()) <= 1]).toEqual([seed, step, true]);
    await world.expectOrder(seed);
  }
  await world.finish();
  await world.expectOrder(seed);
  expect([seed, await world.unfinished()]).toEqual([seed, []]);
  // After any history, the next backup sees the platform's current state.
  world.change();
  world.wait(2 * DAY_MS);
  await world.comeDue();
  await world.finish();
  await world.expectOrder(seed);
  expect([seed, (await world.versions()).at(-1)]).toEqual([seed, world.state()]);
}

/** The jobs that the model runs, and the lock that each takes on its item. Checks of versions are never run. */
const LOCKS: Record<string, "backup" | "restore"> = { "back-up-item": "backup", "restore-item": "restore" };

const OUTCOMES: readonly Outcome[] = ["park", "park", "commit", "commit", "fault", "refusal", "death"];

async function openModel() {
  let state = 1;
  let now = Date.UTC(2026, 10, 3);
  let count = 0;
  const clock = { now: () => ++now };
  const letters: Letter[] = [];
  const working: Worker[] = [];
  const services: ReturnType<typeof buildServices> = {
    ...buildServices(env),
    clock,
    queue: {
      send: async (messages) =>
        void letters.push(...(structuredClone([...messages]) as Letter[]).filter(({ job }) => job in LOCKS)),
    },
    live: { publish: async () => {}, disconnect: async () => {} },
  };
  await addItem();
  await addObject({ id: "obj_1" });
  await ledger.insert(schedule).values({
    ...{ itemId: ITEM, organisationId: ORGANISATION, connectionId: "con_a", platform: "github" },
    ...{ dueAt: now, periodMs: DAY_MS },
  });
  const newRun = (kind: "backup" | "restore", trigger: "user" | "schedule") => ({
    ...{ id: `run_${++count}`, organisationId: ORGANISATION, connectionId: "con_a", itemId: ITEM },
    ...{ platform: "github", kind, trigger, order: null, snapshotId: null, createdBy: null },
  });
  const letterOf = (runId: string, job = "back-up-item"): Letter => ({
    job,
    payload: { region: "DE", runId, epoch: 0 },
  });

  /** One slice. It reads the platform's state at its start, or continues with the state in its cursor. */
  const work = async (slice: RunSlice, gate: () => Promise<Outcome>) => {
    const saw = (slice.run.cursor as { saw: number } | null)?.saw ?? state;
    const outcome = await gate();
    if (outcome === "park") throw new SliceEndError({ saw });
    if (outcome === "fault") throw new ConnectorError("unavailable", "GitHub does not answer.");
    if (outcome === "refusal") throw new ConnectorError("forbidden", "GitHub refuses.");
    if (slice.run.kind === "restore") {
      const success = { now: clock.now(), snapshotId: null, bytesRead: 0, bytesStored: 0, report: null };
      await commitTogether(slice.ledger, [succeedRun(slice.ledger, slice.hold, success)]);
      return;
    }
    await publishVersion(services, slice, versionOf(saw, ++count, clock.now()));
  };
  const start = async ({ job, payload }: Letter) => {
    const reached = Promise.withResolvers<void>();
    const told = Promise.withResolvers<Outcome>();
    const ended = runSlice(services, payload, { job: job as "back-up-item", locks: LOCKS[job]! }, (slice) =>
      work(slice, () => {
        reached.resolve();
        return told.promise;
      }),
    );
    const worker: Worker = {
      ended,
      go: told.resolve,
    };
    await Promise.race([reached.promise, ended]);
    if (await isOver(ended)) return;
    working.push(worker);
  };
  const letWork = async (worker: Worker, outcome: Outcome) => {
    working.splice(working.indexOf(worker), 1);
    // A dead isolate never continues.
    if (outcome === "death") return;
    worker.go(outcome);
    await worker.ended;
  };

  return {
    state: () => state,
    change: () => {
      state += 1;
    },
    wait: (ms: number) => {
      now += ms;
    },
    comeDue: async () => {
      const [row] = await ledger.select().from(schedule);
      if (!row || row.dueAt > clock.now()) return;
      const { id } = newRun("backup", "schedule");
      const queued = await moveDue(
        ledger,
        [{ row, runId: id, nextDueAt: now + DAY_MS, periodMs: DAY_MS }],
        now,
      );
      letters.push(...queued.map((runId) => letterOf(runId)));
    },
    ask: async () => {
      const run = newRun("backup", "user");
      const [queued] = await queueUserBackups(ledger, { runs: [run], opensAt: now + HOUR_MS, now });
      if (queued?.isNew) letters.push(letterOf(run.id));
    },
    restore: async () => {
      const run = newRun("restore", "user");
      await createRuns(ledger, [run], now);
      letters.push(letterOf(run.id, "restore-item"));
    },
    deliver: async (roll: Dice) => {
      const at = roll(Math.max(1, letters.length));
      // One in four messages repeats, one in eight deliveries is lost.
      const letter = roll(4) === 0 ? letters[at] : letters.splice(at, 1)[0];
      if (letter && roll(8) > 0) await start(letter);
    },
    letWork: async (roll: Dice, outcome: Outcome) => {
      const worker = working[roll(Math.max(1, working.length))];
      if (worker) await letWork(worker, outcome);
    },
    sweep: async (ms: number) => {
      now += ms;
      await sweepLostRuns(services, "DE");
    },
    /** Completes all waiting work without faults. */
    finish: async () => {
      for (const worker of [...working]) await letWork(worker, "commit");
      for (let round = 0; round < 200; round++) {
        for (const letter of letters.splice(0)) await start(letter);
        for (const worker of [...working]) await letWork(worker, "commit");
        const open = await env.LEDGER_DE.prepare(
          "SELECT 1 FROM run WHERE status IN ('queued', 'running') AND kind IN ('backup', 'restore')",
        ).first();
        if (open === null) return;
        now += 2 * MINUTE_MS;
        await sweepLostRuns(services, "DE");
      }
    },
    openBackups: async () => (await openRuns("kind = 'backup'")).length,
    unfinished: () => openRuns("kind IN ('backup', 'restore')"),
    /** What the versions saw, in their order. */
    versions: async () => (await versionRows()).map(({ saw }) => saw),
    expectOrder: async (seed: number) => {
      const rows = await versionRows();
      const saw = rows.map((row) => row.saw);
      expect([seed, saw]).toEqual([seed, saw.toSorted((a, b) => a - b)]);
      const [item] = (await env.LEDGER_DE.prepare("SELECT last_snapshot_id AS last FROM item").all()).results;
      expect([seed, item!.last]).toEqual([seed, rows.at(-1)?.id ?? null]);
    },
  };
}

const openRuns = async (condition: string) =>
  (
    await env.LEDGER_DE.prepare(
      `SELECT id, kind, status FROM run WHERE status IN ('queued', 'running') AND ${condition}`,
    ).all()
  ).results;

const versionRows = async () =>
  (
    await env.LEDGER_DE.prepare(
      "SELECT id, CAST(manifest_id AS INTEGER) AS saw FROM snapshot ORDER BY taken_at, id",
    ).all<{ id: string; saw: number }>()
  ).results;

/** A version whose manifest id is the state that it saw. */
const versionOf = (saw: number, count: number, now: number): Parameters<typeof publishVersion>[2] => ({
  snapshotId: `snp_${count}`,
  committedAt: now,
  expiresAt: now + 30 * DAY_MS,
  draft: {
    manifest: {
      id: String(saw),
      root: { object: "obj_1", offset: 0, length: 1, method: 0, hash: "hash" },
      entryCount: 1,
      sizeBytes: 1,
      objects: ["obj_1"],
    },
    completeness: {
      counts: {},
      reported: {},
      skipped: [],
      skippedCount: 0,
      apiVersion: "1",
      account: "octo",
    },
    previous: null,
    unchanged: false,
    newBytes: 1,
  },
  item: { name: "n", fullName: "o/n", description: null, details: {} },
  verifyRunId: `run_verify_${count}`,
  copyTo: null,
  bytesRead: 0,
});

async function oneOf(roll: Dice, acts: readonly (readonly [weight: number, act: () => Promise<void>])[]) {
  let at = roll(acts.reduce((sum, [weight]) => sum + weight, 0));
  for (const [weight, act] of acts) {
    if (at < weight) return act();
    at -= weight;
  }
}

/** Whether a promise has settled already. */
const isOver = (promise: Promise<unknown>) =>
  Promise.race([promise.then(() => true), Promise.resolve().then(() => false)]);
