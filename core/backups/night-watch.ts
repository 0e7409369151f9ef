import { DAY_MS } from "#core/kernel/clock.ts";
import { REGIONS, type Region } from "#core/kernel/platform-id.ts";
import { createRuns, findRun } from "#core/runs/index.ts";
import type { CoreServices } from "#core/services.ts";
import {
  dropLooseManifests,
  END_OF_ITEMS,
  expireSnapshots,
  forgetObjects,
  listLongUnverified,
  markUnreferenced,
  readSweepPosition,
  recordSweepPosition,
  stretchBehind,
  takeUnreferenced,
  unmarkReferenced,
} from "#core/versions/index.ts";
import {
  PRUNE_SWEEP,
  REVERIFY_AFTER_MS,
  REVERIFY_AT_ONCE,
  SWEEP_AT_ONCE,
  SWEEPS_PER_WATCH,
} from "./limits.ts";
import { queueRepacks } from "./repack.ts";

/**
 * The hourly watch: drops versions past their retention, deletes objects that nobody needs (after two marks a day
 * apart), queues checks of versions whose last one is 30 days old, and the rewriting of sparse packs. Each part may be repeated at any time.
 */
export async function nightWatch(s: CoreServices): Promise<void> {
  for (const region of REGIONS) {
    await expire(s, region);
    await prune(s, region);
    await checkAgain(s, region);
    await queueRepacks(s, region);
  }
}

/** Drops versions past their time. The newest good one of a living item stays whatever its age. */
export async function expire(s: CoreServices, region: Region): Promise<void> {
  for (let sweep = 0; sweep < SWEEPS_PER_WATCH; sweep++) {
    if ((await expireSnapshots(s.ledger(region), s.clock.now(), SWEEP_AT_ONCE)) < SWEEP_AT_ONCE) return;
  }
}

/**
 * Deletes what nothing refers to. The row is taken first, then the bytes go, then the row: a crash in between is
 * made up for by the next watch, and a commit that needs a taken object fails instead of pointing nowhere.
 */
export async function prune(s: CoreServices, region: Region, sweep = PRUNE_SWEEP): Promise<void> {
  const ledger = s.ledger(region);
  for (let sweeps = 0; sweeps < SWEEPS_PER_WATCH; sweeps++) {
    const taken = await takeUnreferenced(ledger, s.clock.now(), SWEEP_AT_ONCE);
    if (taken.length === 0) break;
    await s.bucket(region).delete(taken.map((object) => object.key));
    await forgetObjects(
      ledger,
      taken.map((object) => object.id),
    );
    if (taken.length < SWEEP_AT_ONCE) break;
  }
  await unmarkReferenced(ledger);
  await markStretches(s, region, sweep);
}

/**
 * Looks for what nothing refers to, item after item, from where the watch before stopped. No question reads more than a
 * stretch of items, however many there are; with very many of them it takes several watches to come round.
 */
async function markStretches(
  s: CoreServices,
  region: Region,
  { items, stretches }: typeof PRUNE_SWEEP,
): Promise<void> {
  const ledger = s.ledger(region);
  const begin = await readSweepPosition(ledger);
  let position = begin;
  let left = SWEEPS_PER_WATCH;
  for (let count = 0; count < stretches; count++) {
    const stretch = await stretchBehind(ledger, position, items);
    await dropLooseManifests(ledger, stretch);
    const order = { now: s.clock.now(), limit: SWEEP_AT_ONCE };
    while ((await markUnreferenced(ledger, stretch, order)) === SWEEP_AT_ONCE) if (--left === 0) break;
    // The rest of this stretch waits for the next watch, which begins with it.
    if (left === 0) break;
    position = stretch.to === END_OF_ITEMS ? "" : stretch.to;
    if (position === "") break;
  }
  if (position !== begin) await recordSweepPosition(ledger, position);
}

async function checkAgain(s: CoreServices, region: Region): Promise<void> {
  const now = s.clock.now();
  const ledger = s.ledger(region);
  const old = await listLongUnverified(ledger, {
    before: now - REVERIFY_AFTER_MS,
    unprovenBefore: now - DAY_MS,
    limit: REVERIFY_AT_ONCE,
  });
  if (old.length === 0) return;
  const runs = await Promise.all(
    old.map(async (snapshot) => ({
      id: s.ids.next("run"),
      organisationId: snapshot.organisationId,
      ...(await ownerOf(s, region, snapshot)),
      itemId: snapshot.itemId,
      kind: "verify" as const,
      trigger: "system" as const,
      order: null,
      snapshotId: snapshot.id,
      createdBy: null,
    })),
  );
  await createRuns(ledger, runs, now);
  await s.queue.send(
    runs.map((run) => ({ job: "verify-snapshot" as const, payload: { region, runId: run.id, epoch: 0 } })),
  );
}

/** The run that took a version knows its connection and platform. */
async function ownerOf(s: CoreServices, region: Region, snapshot: { runId: string }) {
  const run = await findRun(s.ledger(region), snapshot.runId);
  return { connectionId: run?.connectionId ?? "", platform: run?.platform ?? "" };
}
