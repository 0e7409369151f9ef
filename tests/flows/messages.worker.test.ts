import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { actionsOf, applyJobEvent, NO_JOBS } from "#app/live/running-jobs.ts";
import {
  dispatchDue,
  listActions,
  listHistory,
  requestAllBackups,
  requestBackup,
  runBackup,
} from "#core/backups/index.ts";
import { requestCloneUrl, requestZip } from "#core/exports/index.ts";
import { getItem, type ItemView, removeItems, setDailyBackup } from "#core/inventory/index.ts";
import type { JobMessage } from "#core/jobs/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { requestRestores } from "#core/restores/index.ts";
import { sweepLostRuns } from "#core/runs/index.ts";
import { followingDue, nextDue } from "#core/schedules/index.ts";
import { findFaults, findUnfinished } from "#tests/harness/check-vault.ts";
import {
  askForBackup,
  backUpNow,
  findRun,
  listSnapshots,
  newestSnapshot,
} from "#tests/harness/flow-steps.ts";
import { type FlowWorld, KIND, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { sampleOf, sweep } from "#tests/harness/sample.ts";
import type { Letter } from "#tests/harness/test-queue.ts";

let world: FlowWorld;
let item: ItemView;
beforeAll(async () => {
  world = await openFlowWorld();
  item = await world.protect("quotes", "tiny");
  await world.drain();
});
beforeEach(() => {
  world.queue.policy = (letter) => [letter];
});
afterAll(() => world.close());

const change = () => world.outside.control(`repos/${item.fullName}/commits`, { count: 1 });
async function expectSound(): Promise<void> {
  expect(await findFaults(world)).toEqual([]);
  expect(await findUnfinished(world)).toEqual([]);
}

test("messages delivered five times, late and in any order have their effect once", async () => {
  const seen = new Set<string>();
  const policies: Record<string, (letter: Letter) => Letter[]> = {
    duplicated: (letter) => Array.from({ length: 5 }, () => structuredClone(letter)),
    delayed: (letter) => [
      { ...letter, at: letter.at + 12 * HOUR_MS },
      letter,
      { ...letter, at: letter.at + HOUR_MS },
    ],
    // Loses the first message of each kind. Later ones from the sweep arrive.
    lost: (letter) => {
      const key = JSON.stringify(letter.body);
      const isFirst = !seen.has(key);
      seen.add(key);
      return isFirst ? [] : [letter];
    },
  };
  for (const [name, policy] of Object.entries(policies)) {
    await change();
    const before = (await listSnapshots(world, item.id)).length;
    world.queue.policy = policy;
    const runId = await askForBackup(world, item.id);
    const { runIds } = await requestRestores(world.services, world.member, {
      platform: PLATFORM,
      kind: KIND,
      items: [
        {
          itemId: item.id,
          snapshotId: (await newestSnapshot(world, item.id)).id,
          name: `quotes-${name}`,
          place: null,
        },
      ],
      placeId: null,
      emails: [],
    });
    world.queue.letters.reverse();
    await world.drain();
    for (const id of [runId, ...runIds])
      expect([name, (await findRun(world, id)).status]).toEqual([name, "succeeded"]);
    expect([name, (await listSnapshots(world, item.id)).length]).toEqual([name, before + 1]);
    const restored = (await world.outside.listRepositories()).filter(({ fullName }) =>
      fullName.includes(`quotes-${name}`),
    );
    expect([name, restored.length]).toEqual([name, 1]);
    await expectSound();
  }
});

/** Message shapes of other releases, and invalid messages. */
const STRANGE_SHAPES: Record<string, (message: JobMessage) => unknown> = {
  "older, without an epoch": ({ job, payload }) => ({ job, payload: { ...payload, epoch: undefined } }),
  "older, under another name": ({ job, payload }) => ({ job: `${job}-1`, payload }),
  "later, with an epoch of another type": ({ job, payload }) => ({
    job,
    payload: { ...payload, epoch: "0" },
  }),
  "none of ours": () => ["?", null],
};

test("a message of unknown shape loses no run and is not redelivered forever", async () => {
  await sweep(async () => {
    for (const [name, shapeOf] of sampleOf(Object.entries(STRANGE_SHAPES), 2)) {
      await change();
      const before = (await listSnapshots(world, item.id)).length;
      const runId = await askForBackup(world, item.id);
      const [letter] = world.queue.letters.splice(0);
      const strange = JSON.stringify(shapeOf(letter!.body));
      world.queue.letters.push({ ...letter!, body: JSON.parse(strange) });
      const { deliver } = world;
      let offered = 0;
      world.deliver = (next, isolate) => {
        if (JSON.stringify(next.body) === strange) offered += 1;
        return deliver(next, isolate);
      };
      try {
        await world.drain();
      } finally {
        world.deliver = deliver;
      }
      // One delivery, ten retries, and one as a dead letter, so that a release that knows the shape can handle it.
      expect([name, offered]).toEqual([name, 12]);
      expect(world.queue.letters).toEqual([]);
      expect([name, (await findRun(world, runId)).status]).toEqual([name, "succeeded"]);
      expect([name, (await listSnapshots(world, item.id)).length]).toEqual([name, before + 1]);
      await expectSound();
    }
  });
});

test("a message with unknown members is read by its known ones", async () => {
  await change();
  const runId = await askForBackup(world, item.id);
  const [letter] = world.queue.letters.splice(0);
  const { job, payload } = letter!.body;
  const later = { job, payload: { ...payload, priority: "high" }, sentBy: "a later release" };
  await world.deliver({ ...letter!, body: later as JobMessage });
  expect((await findRun(world, runId)).status).toBe("succeeded");
  await world.drain();
});

test("a dead-lettered message ends no run: the work is done once its resource is available again", async () => {
  await change();
  const before = (await listSnapshots(world, item.id)).length;
  const runId = await askForBackup(world, item.id);
  const [letter] = world.queue.letters.splice(0);
  // The ledger is unavailable for longer than the queue retries.
  const away = () => {
    throw new Error("D1_ERROR: the ledger is away");
  };
  const isolate = { life: world.bear(null).life, services: { ...world.services, ledger: away } };
  for (let attempts = 0; attempts <= 11; attempts++) await world.deliver({ ...letter!, attempts }, isolate);
  world.queue.letters.length = 0;
  expect(await findRun(world, runId)).toMatchObject({ status: "queued", error_text: null });
  await world.drain();
  expect((await findRun(world, runId)).status).toBe("succeeded");
  expect((await listSnapshots(world, item.id)).length).toBe(before + 1);
  await expectSound();
});

test("of two consumers of one message one works and the other ends", async () => {
  await change();
  const before = (await listSnapshots(world, item.id)).length;
  const runId = await askForBackup(world, item.id);
  const [letter] = world.queue.letters.splice(0);
  await world.outside.forgetRequests();
  await Promise.all(Array.from({ length: 4 }, () => world.deliver(structuredClone(letter!))));
  const fetches = (await world.outside.requests()).filter(
    ({ method, path }) => method === "POST" && path.includes("git-upload-pack"),
  );
  expect(fetches).toHaveLength(2);
  await world.drain();
  expect((await findRun(world, runId)).epoch).toBe(1);
  expect((await listSnapshots(world, item.id)).length).toBe(before + 1);
  await expectSound();
});

test("a consumer that returns after its lease finds another holder and writes nothing", async () => {
  await change();
  const before = (await listSnapshots(world, item.id)).length;
  const runId = await askForBackup(world, item.id);
  const order = { region: world.region, runId, epoch: 0 };
  world.queue.letters.length = 0;
  // Both consumers stop in the middle of the pack. The first one continues while the second holds the run.
  const first = standStill(order);
  await first.reached;
  world.clock.advance(3 * MINUTE_MS);
  expect(await world.tick(sweepLostRuns)).toMatchObject({ done: 1 });
  world.queue.letters.length = 0;
  const second = standStill({ ...order, epoch: 1 });
  await second.reached;
  const facts = async () =>
    JSON.stringify(await world.rows("SELECT status, epoch, cursor FROM run WHERE id = ?", runId));
  const held = await facts();
  first.goOn();
  await first.done;
  expect(await facts()).toBe(held);
  expect((await listSnapshots(world, item.id)).length).toBe(before);
  expect(world.queue.letters).toEqual([]);
  second.goOn();
  await second.done;
  await world.drain();
  expect(await findRun(world, runId)).toMatchObject({ status: "succeeded", epoch: 2 });
  expect((await listSnapshots(world, item.id)).length).toBe(before + 1);
  await expectSound();
});

/** A consumer that requests the pack and then waits for `goOn`. */
function standStill(order: Parameters<typeof runBackup>[1]) {
  const { services } = world.bear(null);
  const waiting = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const { fetch } = services;
  services.fetch = async (url, init) => {
    const answer = await fetch(url, init);
    if (init?.method === "POST" && url.includes("git-upload-pack")) {
      reached.resolve();
      await waiting.promise;
    }
    return answer;
  };
  return { reached: reached.promise, goOn: waiting.resolve, done: runBackup(services, order) };
}

test("a backup stopped by its item's deletion leaves no progress on any screen", async () => {
  const doomed = await world.protect("stopped", "tiny");
  await world.drain();
  const runId = await askForBackup(world, doomed.id);
  world.queue.letters.length = 0;
  const backup = standStill({ region: world.region, runId, epoch: 0 });
  await backup.reached;
  const bars = () => actionsOf(world.events.reduce(applyJobEvent, NO_JOBS), null);
  expect(bars()).toEqual(["backup"]);
  const order = { platform: PLATFORM, kind: KIND, itemIds: [doomed.id] };
  await removeItems(world.services, world.member, order);
  expect(bars()).toEqual([]);
  backup.goOn();
  await backup.done;
  await world.drain();
  expect(bars()).toEqual([]);
  await expectSound();
});

test("a request during an open backup joins it, which runs once for any number of messages", async () => {
  await change();
  const before = (await listSnapshots(world, item.id)).length;
  const one = await askForBackup(world, item.id);
  const two = await askForBackup(world, item.id);
  expect(two).toBe(one);
  const letters = world.queue.letters.splice(0);
  expect(letters).toHaveLength(1);
  await Promise.all([...letters, ...structuredClone(letters)].map((letter) => world.deliver(letter)));
  expect((await findRun(world, one)).status).toBe("succeeded");
  await world.drain();
  expect((await listSnapshots(world, item.id)).length).toBe(before + 1);
  await expectSound();
});

test("[A-018] of fifty concurrent requests for a backup exactly one is accepted", async () => {
  world.clock.advance(DAY_MS);
  const [count] = await world.rows<{ n: number }>("SELECT count(*) AS n FROM run WHERE kind = 'backup'");
  const order = { platform: PLATFORM, itemId: item.id };
  const answers = await Promise.allSettled(
    Array.from({ length: 50 }, () => requestBackup(world.services, world.member, order)),
  );
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const answer of answers) {
    if (answer.status === "rejected") expect(answer.reason).toMatchObject({ code: "err.user.backup.limit" });
  }
  const [after] = await world.rows<{ n: number }>("SELECT count(*) AS n FROM run WHERE kind = 'backup'");
  expect(after!.n).toBe(count!.n + 1);
  await world.drain();
});

test("the ledger refuses a second Backup now even if the actor accepts two", async () => {
  world.clock.advance(DAY_MS);
  const forgetful = world.bear(null).services;
  const opensAt = world.clock.now() + DAY_MS;
  forgetful.windows.claim = async () => ({ kind: "claimed", opensAt });
  const order = { platform: PLATFORM, itemId: item.id };
  const [before] = await world.rows<{ n: number }>("SELECT count(*) AS n FROM run");
  const answers = await Promise.allSettled(
    Array.from({ length: 5 }, () => requestBackup(forgetful, world.member, order)),
  );
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const [after] = await world.rows<{ n: number }>("SELECT count(*) AS n FROM run");
  expect(after!.n).toBe(before!.n + 1);
  await world.drain();
});

test("an internal error uses up no window", async () => {
  world.clock.advance(DAY_MS);
  const broken = world.bear({ at: ({ kind }) => kind === "ledger", how: "fail-before" }).services;
  const order = { platform: PLATFORM, itemId: item.id };
  await expect(requestBackup(broken, world.member, order)).rejects.toThrow("internal error");
  await expect(requestBackup(world.services, world.member, order)).resolves.toHaveProperty("runId");
  await world.drain();
});

test("missed, duplicate or late ticks queue each due backup once and never move time backwards", async () => {
  const dueAt = async () =>
    (await world.rows<{ due_at: number }>("SELECT due_at FROM schedule WHERE item_id = ?", item.id))[0]!
      .due_at;
  const runs = async () =>
    (await world.rows("SELECT id FROM known_run WHERE trigger = 'schedule' AND item_id = ?", item.id)).length;
  let last = await dueAt();
  let count = await runs();
  for (const late of [MINUTE_MS, 3 * HOUR_MS, 50 * HOUR_MS]) {
    world.clock.advance(Math.max(0, last - world.clock.now()) + late);
    await Promise.all(Array.from({ length: 4 }, () => dispatchDue(world.bear(null).services, "DE")));
    expect(await runs()).toBe(++count);
    const next = await dueAt();
    expect(next).toBeGreaterThan(world.clock.now());
    expect((next - last) % (12 * HOUR_MS)).toBe(0);
    last = next;
    await world.drain();
  }
  await expectSound();
});

test("an item keeps only as many changes of its daily backup as a ribbon shows", async () => {
  const { id } = await world.protect("restless", "tiny");
  const times: number[] = [];
  for (let turn = 0; turn < 50; turn++) {
    world.clock.advance(MINUTE_MS);
    times.push(world.clock.now());
    await setDailyBackup(world.services, world.member, {
      platform: PLATFORM,
      items: [{ kind: KIND, itemIds: [id] }],
      isDaily: turn % 2 === 1,
    });
  }
  const [row] = await world.rows<{ changes: string }>(
    "SELECT daily_changes AS changes FROM item WHERE id = ?",
    id,
  );
  const kept: number[] = JSON.parse(row!.changes);
  expect(kept.map((time) => times.findLastIndex((asked) => asked <= time))).toEqual(
    times.slice(-40).map((_, index) => 10 + index),
  );
});

test("[A-017] [P-400] on a trial every active item gets one version per 24 hours automatically, and a paused one none", async () => {
  const sell = (plan: string) => env.DB.prepare("UPDATE subscription SET plan = ?").bind(plan).run();
  await sell("trial");
  const active = await world.protect("daily", "tiny");
  const paused = await world.protect("resting", "tiny");
  await world.drain();
  await setDailyBackup(world.services, world.member, {
    platform: PLATFORM,
    items: [{ kind: KIND, itemIds: [paused.id] }],
    isDaily: false,
  });
  const [first] = await world.rows<{ due_at: number }>(
    "SELECT due_at FROM schedule WHERE item_id = ?",
    active.id,
  );
  const versionsAt = async (moment: number) => {
    world.clock.advance(moment - world.clock.now());
    await world.tick(dispatchDue);
    await world.drain();
    const count = async (id: string) => (await listSnapshots(world, id)).length;
    return [await count(active.id), await count(paused.id)];
  };
  for (let day = 0; day < 3; day++) {
    const dueAt = first!.due_at + day * DAY_MS;
    expect(await versionsAt(dueAt - HOUR_MS)).toEqual([1 + day, 1]);
    expect(await versionsAt(dueAt + MINUTE_MS)).toEqual([2 + day, 1]);
  }
  await sell("pro");
  await expectSound();
});

test("an item paused or deleted during a tick stays so", async () => {
  const doomed = await world.protect("doomed", "tiny");
  await world.drain();
  for (const end of [
    () =>
      setDailyBackup(world.services, world.member, {
        platform: PLATFORM,
        items: [{ kind: KIND, itemIds: [doomed.id] }],
        isDaily: false,
      }),
    () => removeItems(world.services, world.member, { platform: PLATFORM, kind: KIND, itemIds: [doomed.id] }),
  ]) {
    await world.rows("UPDATE schedule SET due_at = 1 WHERE item_id = ?", doomed.id);
    const tick = world.bear(null).services;
    const { now } = world.clock;
    const ledger = tick.ledger(world.region);
    const batch = ledger.$client.batch.bind(ledger.$client);
    ledger.$client.batch = async (statements) => {
      await end();
      return batch(statements) as never;
    };
    tick.ledger = (region) => (region === world.region ? ledger : world.services.ledger(region));
    tick.clock = { now };
    await dispatchDue(tick, "DE");
    expect(await world.rows("SELECT * FROM schedule WHERE item_id = ?", doomed.id)).toEqual([]);
    expect(
      await world.rows("SELECT * FROM run WHERE item_id = ? AND trigger = 'schedule'", doomed.id),
    ).toEqual([]);
    await setDailyBackup(world.services, world.member, {
      platform: PLATFORM,
      items: [{ kind: KIND, itemIds: [doomed.id] }],
      isDaily: true,
    }).catch(() => undefined);
  }
  await world.drain();
  await expectSound();
});

test("due times advance by whole periods to the first future one", () => {
  const time = fc.integer({ min: 0, max: 4e12 });
  const period = fc.constantFrom(12 * HOUR_MS, DAY_MS);
  fc.assert(
    fc.property(time, time, period, (dueAt, now, periodMs) => {
      const next = followingDue(dueAt, now, periodMs);
      expect(next).toBeGreaterThan(Math.max(dueAt, now));
      expect(next).toBeLessThanOrEqual(Math.max(dueAt, now) + periodMs);
      expect((next - dueAt) % periodMs).toBe(0);
    }),
  );
  fc.assert(
    fc.property(fc.string(), time, period, (id, now, periodMs) => {
      const due = nextDue(id, now, periodMs);
      expect(due).toBeGreaterThanOrEqual(now + periodMs / 8);
      expect(due).toBeLessThanOrEqual(now + (9 / 8) * periodMs + 1);
      expect(nextDue(id, now + 1, periodMs)).toBeGreaterThanOrEqual(due);
    }),
  );
});

test("every operation treats another organisation's data as missing", async () => {
  const ann = { member: world.member, item, snapshot: await newestSnapshot(world, item.id) };
  const eve = await world.stranger();
  const never = { item: "itm_00000000000000000000000000", snapshot: "snp_00000000000000000000000000" };
  const s = world.services;
  const operations = (ids: { item: string; snapshot: string }): Record<string, () => Promise<unknown>> => ({
    getItem: () => getItem(s, eve, { itemId: ids.item }),
    requestBackup: () => requestBackup(s, eve, { platform: PLATFORM, itemId: ids.item }),
    requestAllBackups: () =>
      requestAllBackups(s, eve, { platform: PLATFORM, kind: KIND, placeId: item.placeId }),
    listHistory: () => listHistory(s, eve, { itemId: ids.item, page: 0, perPage: 10 }),
    listActions: () => listActions(s, eve, { platform: PLATFORM, itemId: ids.item, page: 0, perPage: 10 }),
    requestZip: () => requestZip(s, eve, { platform: PLATFORM, itemId: ids.item, snapshotId: ids.snapshot }),
    requestCloneUrl: () => requestCloneUrl(s, eve, { itemId: ids.item, snapshotId: ids.snapshot }),
    removeItems: () => removeItems(s, eve, { platform: PLATFORM, kind: KIND, itemIds: [ids.item] }),
    setDailyBackup: () =>
      setDailyBackup(s, eve, {
        platform: PLATFORM,
        items: [{ kind: KIND, itemIds: [ids.item] }],
        isDaily: false,
      }),
    requestRestores: () =>
      requestRestores(s, eve, {
        platform: PLATFORM,
        kind: KIND,
        items: [{ itemId: ids.item, snapshotId: ids.snapshot, name: "mine-now", place: null }],
        placeId: null,
        emails: [],
      }),
  });
  const mine = operations({ item: ann.item.id, snapshot: ann.snapshot.id });
  const missing = operations(never);
  for (const [name, ask] of Object.entries(mine)) {
    const foreign = await ask().catch((cause: unknown) => cause);
    const unknown = await missing[name]!().catch((cause: unknown) => cause);
    expect([name, foreign instanceof AppError]).toEqual([name, true]);
    expect([name, (foreign as AppError).code, (foreign as AppError).message]).toEqual([
      name,
      (unknown as AppError).code,
      (unknown as AppError).message,
    ]);
  }
  expect(await world.rows("SELECT id FROM run WHERE organisation_id = ?", eve.organisationId)).toEqual([]);
  expect((await backUpNow(world, item.id)).status).toBe("succeeded");
});
