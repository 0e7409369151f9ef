import { type PlanWatch, watchPlans } from "#core/billing/index.ts";
import { REVERIFY_AFTER_MS } from "#core/database/ledger/index.ts";
import { regionOf, type Shard } from "#core/database/shards.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { logger } from "#core/kernel/logger.ts";
import { createRuns, FOLD_AFTER_MS, foldRuns } from "#core/runs/index.ts";
import type { Look, Uses } from "#core/services.ts";
import {
  dropLooseManifests,
  END_OF_ITEMS,
  expireSnapshots,
  forgetObjects,
  listExpired,
  listLongUnverified,
  markUnreferenced,
  readSweepPosition,
  recordSweepPosition,
  stretchBehind,
  takeUnreferenced,
  unmarkReferenced,
} from "#core/versions/index.ts";
import { EXPIRE_LOOKS, LOOKS, PRUNE_SWEEP, REVERIFY_AT_ONCE, SWEEP_AT_ONCE } from "./limits.ts";

const log = logger("watch");

/**
 * Deletes expired versions. The newest good version of an item that still exists stays, whatever its age. A version whose
 * platform has a plan today that keeps it for longer gets that time instead: after a change of plan, and in the days of
 * grace.
 */
export async function expire(
  s: Uses<"clock" | "control" | "ledger">,
  shard: Shard,
  plans: Pick<PlanWatch, "look" | "keptUntil"> = watchPlans(s),
): Promise<Look> {
  const ledger = s.ledger(shard);
  let done = 0;
  for (let look = 0; look < EXPIRE_LOOKS; look++) {
    const now = s.clock.now();
    const expired = await listExpired(ledger, now, SWEEP_AT_ONCE);
    await plans.look(expired.map(({ organisationId }) => organisationId));
    const judged = expired.map(({ id, platform, ...version }) => ({
      id,
      until: platform === null ? null : plans.keptUntil({ platform, ...version }, now),
    }));
    const kept = judged.flatMap(({ id, until }) => (until !== null && until > now ? [{ id, until }] : []));
    const isKept = new Set(kept.map(({ id }) => id));
    const ids = expired.flatMap(({ id }) => (isKept.has(id) ? [] : [id]));
    await expireSnapshots(ledger, now, { ids, kept });
    done += ids.length;
    if (expired.length < SWEEP_AT_ONCE) return { done, hasMore: false };
  }
  return { done, hasMore: true };
}

/**
 * Deletes objects that were found unreferenced twice, a day apart. Marks the row as deleting first, then deletes the
 * bytes, then the row: the next watch completes a pass that crashed in between, and a commit that needs an object being
 * deleted fails instead of referring to missing bytes. The walk that finds them also folds runs.
 */
export async function prune(
  s: Uses<"clock" | "ledger" | "bucket">,
  shard: Shard,
  sweep = PRUNE_SWEEP,
): Promise<Look> {
  const ledger = s.ledger(shard);
  let done = 0;
  let hasMore = true;
  for (let look = 0; look < LOOKS && hasMore; look++) {
    const taken = await takeUnreferenced(ledger, s.clock.now(), SWEEP_AT_ONCE);
    if (taken.length > 0) {
      await s.bucket(regionOf(shard)).delete(taken.map((object) => object.key));
      await forgetObjects(
        ledger,
        taken.map((object) => object.id),
      );
    }
    done += taken.length;
    hasMore = taken.length === SWEEP_AT_ONCE;
  }
  await unmarkReferenced(ledger);
  const isRound = await walkItems(s, shard, sweep);
  return { done, hasMore: hasMore || !isRound };
}

/**
 * Walks the items from where the previous pass stopped: folds their runs, and searches for unreferenced objects. No query
 * reads more than one stretch of items. A stretch that fails is logged and left to the next round, so that it does not
 * block the others.
 *
 * @returns whether the round is complete
 */
async function walkItems(
  s: Uses<"clock" | "ledger">,
  shard: Shard,
  { items, stretches }: typeof PRUNE_SWEEP,
): Promise<boolean> {
  const ledger = s.ledger(shard);
  let position = await readSweepPosition(ledger);
  let left = LOOKS;
  for (let count = 0; count < stretches; count++) {
    const stretch = await stretchBehind(ledger, position, items);
    const isLast = stretch.to === END_OF_ITEMS;
    const now = s.clock.now();
    try {
      await foldRuns(ledger, stretch, { before: now - FOLD_AFTER_MS, now });
      await dropLooseManifests(ledger, stretch);
      const order = { now, limit: SWEEP_AT_ONCE };
      while ((await markUnreferenced(ledger, stretch, order)) === SWEEP_AT_ONCE)
        if (--left === 0) return false;
    } catch (cause) {
      log.error("the items of {shard} behind {from} could not be looked at", {
        shard,
        from: stretch.from,
        cause,
      });
    }
    const begin = position;
    position = isLast ? "" : stretch.to;
    if (position !== begin) await recordSweepPosition(ledger, position);
    if (isLast) return true;
  }
  return false;
}

/** Queues checks of versions whose last check is thirty days old, one version per item at a time. */
export async function checkAgain(s: Uses<"clock" | "ids" | "ledger" | "queue">, shard: Shard): Promise<Look> {
  const now = s.clock.now();
  const ledger = s.ledger(shard);
  const { versions: old, hasMore } = await listLongUnverified(ledger, {
    now,
    unprovenBefore: now - DAY_MS,
    limit: REVERIFY_AT_ONCE,
  });
  const late = Math.max(0, ...old.map(({ verifiedAt }) => now - (verifiedAt ?? now))) - REVERIFY_AFTER_MS;
  if (late > DAY_MS) {
    log.error("the monthly checks of {shard} are {days} days behind", {
      shard,
      days: Math.floor(late / DAY_MS),
    });
  }
  if (old.length === 0) return { done: 0, hasMore };
  const runs = old.map(({ verifiedAt, ...version }) => ({
    id: s.ids.next("run"),
    ...version,
    kind: "verify" as const,
    trigger: "system" as const,
    order: null,
    createdBy: null,
  }));
  await createRuns(ledger, runs, now);
  await s.queue.send(
    runs.map(({ id: runId, organisationId }) => ({
      job: "verify-snapshot" as const,
      payload: { region: regionOf(shard), organisationId, runId, epoch: 0 },
    })),
  );
  return { done: runs.length, hasMore };
}
