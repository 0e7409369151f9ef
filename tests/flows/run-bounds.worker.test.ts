import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { getItem, type ItemView } from "#core/inventory/index.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { UnreadableCursorError } from "#core/kernel/stored-json.ts";
import {
  createRuns,
  HEARTBEAT_MS,
  LEASE_MS,
  MAX_ATTEMPTS,
  MAX_CLAIMS,
  MAX_RESTARTS,
  MAX_STANDSTILL_MS,
  type RunSlice,
  recordJournalEntry,
  runSlice,
  SLICE_MS,
  SLICE_QUERIES,
  SLICE_REQUESTS,
  SliceEndError,
  sweepLostRuns,
} from "#core/runs/index.ts";
import { expire, prune } from "#core/upkeep/index.ts";
import { openVault } from "#core/versions/index.ts";
import { findFaults } from "#tests/harness/check-vault.ts";
import { findRun, listSnapshots, newestSnapshot } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { addObject } from "#tests/harness/ledger-rows.ts";
import { plansOfNobody } from "#tests/harness/night-watch.ts";
import { saveWorld } from "#tests/harness/saved-world.ts";

/** The limits of a run, tested with minimal work. */

let world: FlowWorld;
let item: ItemView;
let restore: () => Promise<void>;
beforeAll(async () => {
  world = await openFlowWorld();
  item = await world.protect("bounded", "tiny");
  await world.drain();
  restore = await saveWorld(world);
});
beforeEach(() => restore());
afterAll(() => world.close());

const RUN = "run_bounded";
const order = (epoch: number) => ({ region: world.region, runId: RUN, epoch });
const run = () => findRun(world, RUN);
const away = () => new ConnectorError("unavailable", "The platform is away.");

async function queueRun(kind: "backup" | "restore" | "verify"): Promise<void> {
  await createRuns(
    world.services.ledger(world.region),
    [
      {
        id: RUN,
        organisationId: world.member.organisationId,
        connectionId: item.connectionId,
        itemId: item.id,
        platform: PLATFORM,
        kind,
        trigger: "user",
        order: null,
        snapshotId: null,
        createdBy: null,
      },
    ],
    world.clock.now(),
  );
}

/** One slice at the run's current epoch. Failed assertions do not count as failures of the run. */
async function slice(work: (slice: RunSlice) => Promise<void>): Promise<void> {
  const { epoch } = await run();
  const found: unknown[] = [];
  await runSlice(world.services, order(epoch), { job: "back-up-item", locks: null }, async (each) => {
    try {
      await work(each);
    } catch (cause) {
      const isMeant = [ConnectorError, SliceEndError, UnreadableCursorError].some(
        (kind) => cause instanceof kind,
      );
      if (!isMeant) found.push(cause);
      throw cause;
    }
  });
  world.queue.letters.length = 0;
  expect(found).toEqual([]);
}

/** A slice whose isolate dies in the middle of its work. */
async function die(work: (slice: RunSlice) => Promise<void>): Promise<void> {
  const { epoch } = await run();
  const isolate = world.bear({ at: ({ kind }) => kind === "actor", how: "kill-before" });
  const done = runSlice(
    isolate.services,
    order(epoch),
    { job: "back-up-item", locks: null },
    async (each) => {
      await work(each);
      await isolate.services.windows.release("nobody", "nothing");
    },
  );
  await Promise.race([done, isolate.life.death]);
  expect(isolate.life.isDead()).toBe(true);
  world.clock.advance(LEASE_MS + MINUTE_MS);
}

test("a run that keeps crashing fails with a sentence", async () => {
  await queueRun("backup");
  for (let death = 0; death < MAX_CLAIMS; death++) await die(async () => undefined);
  expect((await run()).status).toBe("running");
  let begun = 0;
  for (let more = 0; more < MAX_ATTEMPTS && (await run()).status !== "failed"; more++) {
    world.clock.advance(HOUR_MS);
    await slice(async () => void begun++);
  }
  expect(begun).toBe(0);
  expect(await run()).toMatchObject({
    status: "failed",
    error_text: "This run stopped again and again and was given up.",
  });
});

test("a run whose consumer died is shown as resuming once its lease has expired, until it reports progress", async () => {
  await queueRun("backup");
  await die((each) => each.progress({ phase: "Receiving objects", done: 5, total: null, unit: "bytes" }));
  const shown = async () =>
    (await getItem(world.services, world.member, { itemId: item.id })).activeRun?.phase;
  expect(await shown()).toBe("Resuming");
  await slice(async (each) => {
    expect(each.run.phase).toBe("Resuming");
    expect(await shown()).toBe("Resuming");
    throw new SliceEndError({ step: 1 });
  });
  // A slice that ended as planned is no crash.
  await slice(async (each) => {
    // Progress is written every other second.
    world.clock.advance(3_000);
    await each.progress({ phase: "Reading issues", done: 1, total: 2, unit: "items" });
    throw new SliceEndError({ step: 2 });
  });
  await slice(async (each) => {
    expect(each.run.phase).toBe("Reading issues");
    throw away();
  });
});

test("a run that makes progress between crashes and faults continues at any number of them", async () => {
  await queueRun("backup");
  for (let step = 0; step < MAX_CLAIMS + 3; step++) await die((each) => each.checkpoint({ step }));
  for (let step = 100; step < 100 + 2 * MAX_ATTEMPTS; step++) {
    await slice(async (each) => {
      await each.checkpoint({ step });
      throw away();
    });
    expect([step, (await run()).status]).toEqual([step, "queued"]);
  }
  // Storing the same step again is no progress.
  for (let fault = 1; fault < MAX_ATTEMPTS; fault++) {
    expect([fault, (await run()).status]).toEqual([fault, "queued"]);
    await slice(async (each) => {
      await each.checkpoint({ step: 100 + 2 * MAX_ATTEMPTS - 1 });
      throw away();
    });
  }
  expect(await run()).toMatchObject({ status: "failed", error_code: "err.platform.unavailable" });
});

test("a run whose cursor is never understood restarts a few times, then fails with a sentence", async () => {
  await queueRun("backup");
  let restarts = 0;
  for (; (await run()).status === "queued" && restarts < 20; restarts++) {
    // A bug in the code itself: it stores a cursor that it cannot read.
    await slice(async (each) => {
      if (each.run.cursor === null) throw new SliceEndError({ restarts });
      throw new UnreadableCursorError("The cursor is strange");
    });
    await slice(async (each) => {
      expect(each.run.cursor).toEqual({ restarts });
      throw new UnreadableCursorError("The cursor is strange");
    });
    if ((await run()).status === "queued")
      expect(await run()).toMatchObject({ cursor: null, done: 0, total: null });
  }
  expect(restarts).toBe(MAX_RESTARTS + 1);
  expect(await run()).toMatchObject({
    status: "failed",
    restarts: MAX_RESTARTS,
    error_text: "This run could not continue from where it stopped.",
  });
});

test("a new journal entry of a restore counts as progress, a repeated one does not", async () => {
  await queueRun("restore");
  const note = (value: number) => async (each: RunSlice) => {
    const entry = { key: "issues", value: { done: value }, now: world.clock.now() };
    const { isOurs, isNews } = await recordJournalEntry(each.ledger, each.hold, entry);
    expect(isOurs).toBe(true);
    if (isNews) each.advanced();
    throw away();
  };
  for (let done = 0; done < 2 * MAX_ATTEMPTS; done++) {
    await slice(note(done));
    expect([done, (await run()).status]).toEqual([done, "queued"]);
  }
  for (let fault = 1; fault < MAX_ATTEMPTS; fault++) await slice(note(2 * MAX_ATTEMPTS - 1));
  expect((await run()).status).toBe("failed");
});

test("a run that keeps waiting for quota lasts while it makes progress, and not much longer", async () => {
  await queueRun("restore");
  const wait = () => {
    const retryAt = world.clock.now() + HOUR_MS;
    return new ConnectorError("rate-limited", "Wait.", { retryAt });
  };
  for (let hour = 0; hour * HOUR_MS < 3 * MAX_STANDSTILL_MS; hour++) {
    await slice(async (each) => {
      if (hour % 20 === 0) await each.checkpoint({ hour });
      throw wait();
    });
    expect([hour, (await run()).status]).toEqual([hour, "queued"]);
    world.clock.advance(HOUR_MS);
  }
  let hours = 0;
  for (; (await run()).status === "queued" && hours < 100; hours++) {
    await slice(async () => {
      throw wait();
    });
    world.clock.advance(HOUR_MS);
  }
  expect(await run()).toMatchObject({ status: "failed", error_code: "err.platform.limited" });
  expect(hours * HOUR_MS).toBeLessThanOrEqual(MAX_STANDSTILL_MS + HOUR_MS);
});

test("a slice ends after its time and after its sub-requests, not before", async () => {
  await queueRun("backup");
  await slice(async (each) => {
    // The progress at the start of a slice counts as a request too.
    for (let count = 0; count < SLICE_REQUESTS - 10; count++) each.countRequest();
    expect(each.isOver()).toBe(false);
    for (let count = 0; count < 20; count++) each.countRequest();
    expect(each.isOver()).toBe(true);
    throw away();
  });
  await slice(async (each) => {
    const vault = await openVault(
      world.services,
      { organisationId: world.member.organisationId, region: world.region },
      each,
    );
    // The claim's own read and the queries after it count too.
    for (let count = 0; count < SLICE_QUERIES - 10; count++) await vault.registry.discard(["obj_none"]);
    expect(each.isOver()).toBe(false);
    for (let count = 0; count < 20; count++) await vault.registry.discard(["obj_none"]);
    expect(each.isOver()).toBe(true);
    throw away();
  });
  await slice(async (each) => {
    world.clock.advance(SLICE_MS - MINUTE_MS);
    expect(each.isOver()).toBe(false);
    world.clock.advance(2 * MINUTE_MS);
    expect(each.isOver()).toBe(true);
    throw away();
  });
});

test("a run is queued again only after its lease expired, and an active slice renews it", async () => {
  await queueRun("backup");
  const offered = async () => {
    const { done } = await world.tick(sweepLostRuns);
    world.queue.letters.length = 0;
    return done;
  };
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    await slice(async () => {
      expect(await offered()).toBe(0);
      // No progress for many leases, as when a server counts objects. Only the heartbeat renews the lease.
      for (let beat = 0; beat < 12; beat++) {
        world.clock.advance(HEARTBEAT_MS);
        await vi.advanceTimersByTimeAsync(HEARTBEAT_MS);
        await vi.waitFor(async () => {
          const [row] = await world.rows<{ lease_until: number }>(
            "SELECT lease_until FROM run WHERE id = ?",
            RUN,
          );
          expect(row!.lease_until).toBeGreaterThan(world.clock.now() + LEASE_MS - HEARTBEAT_MS);
        });
        expect(await offered()).toBe(0);
      }
      world.clock.advance(LEASE_MS + 1);
      expect(await offered()).toBe(1);
      throw away();
    });
  } finally {
    vi.useRealTimers();
  }
});

test("objects of an open run are not pruned at any age, and are deleted after it has failed", async () => {
  await queueRun("backup");
  await slice(async () => {
    throw away();
  });
  const { organisationId } = world.member;
  await addObject({ id: "obj_mine", organisationId, itemId: item.id, runId: RUN, kind: "stream" });
  const isThere = async () => (await world.rows("SELECT 1 FROM object WHERE id = 'obj_mine'")).length === 1;
  const watch = async () => {
    for (let day = 0; day < 4; day++) {
      world.clock.advance(DAY_MS + HOUR_MS);
      await prune(world.services, world.region);
    }
  };
  await watch();
  expect(await isThere()).toBe(true);
  await world.rows("UPDATE run SET status = 'failed', finished_at = 1, lease_until = NULL WHERE id = ?", RUN);
  await watch();
  expect(await isThere()).toBe(false);
  expect(await findFaults(world)).toEqual([]);
});

test("an expired version stays while a run uses it, and so does the manifest that a run builds on", async () => {
  const old = await newestSnapshot(world, item.id);
  const fresh = "snp_fresh";
  await world.rows(
    `INSERT INTO snapshot (id, organisation_id, item_id, run_id, taken_at, manifest_id, size_bytes, new_bytes,
       skipped_count, verify_state, expires_at)
     SELECT ?, organisation_id, item_id, 'run_fresh', taken_at + 1, 'another', 1, 1, 0, 'verified', expires_at * 2
     FROM snapshot WHERE id = ?`,
    fresh,
    old.id,
  );
  await world.rows("UPDATE snapshot SET expires_at = 1 WHERE id = ?", old.id);
  const versions = async () => {
    await expire(world.services, world.region, plansOfNobody);
    return (await listSnapshots(world, item.id)).map(({ id }) => id);
  };
  const manifests = async () => {
    await prune(world.services, world.region);
    return (await world.rows("SELECT id FROM manifest WHERE id = ?", old.manifest_id)).length;
  };
  await queueRun("restore");
  await world.rows("UPDATE run SET snapshot_id = ? WHERE id = ?", old.id, RUN);
  expect(await versions()).toEqual([fresh, old.id]);
  await world.rows("UPDATE run SET kind = 'backup', snapshot_id = NULL WHERE id = ?", RUN);
  expect(await versions()).toEqual([fresh]);
  expect(await manifests()).toBe(1);
  await world.rows("UPDATE run SET status = 'failed', finished_at = 1, lease_until = NULL WHERE id = ?", RUN);
  expect(await manifests()).toBe(0);
});
