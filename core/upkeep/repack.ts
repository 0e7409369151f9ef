import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { regionOf, type Shard } from "#core/database/shards.ts";
import { createRuns, type RunOrder, type RunSlice, runSlice } from "#core/runs/index.ts";
import type { Look, RunServices, Uses, VaultServices } from "#core/services.ts";
import { measurePacks, type PackUse, planRepack, repackManifests } from "#core/vault/index.ts";
import {
  commitRepack,
  hasOtherOpenRun,
  listManifests,
  listPacks,
  listRepackCandidates,
  openVault,
} from "#core/versions/index.ts";
import {
  REPACK_AGES_MS,
  REPACK_AT_ONCE,
  REPACK_BLOBS,
  REPACK_BUSY_RETRY_MS,
  REPACK_BYTES,
  REPACK_LEAST_BYTES,
  REPACK_LEAST_PACKS,
  REPACK_QUIET_MS,
  WATCH_MS,
} from "./limits.ts";

/**
 * Queues a repack for items with a pack that has just reached the age at which versions of its time expire, because the
 * objects that only those versions needed are now dead. Each pack triggers one search per age, and an item is repacked
 * at most once a week, so an hourly pass costs as much as one hour of past backups. If an hour is missed, the item's
 * next pack triggers the repack.
 *
 * @returns `done`: how many runs were queued
 */
export async function queueRepacks(s: Uses<"clock" | "ledger" | "queue">, shard: Shard): Promise<Look> {
  const ledger = s.ledger(shard);
  const now = s.clock.now();
  const week = Math.floor(now / REPACK_QUIET_MS);
  let done = 0;
  let hasMore = false;
  for (const age of REPACK_AGES_MS) {
    const candidates = await listRepackCandidates(ledger, {
      from: now - age - WATCH_MS,
      until: now - age,
      quietSince: now - REPACK_QUIET_MS,
      leastPacks: REPACK_LEAST_PACKS,
      leastBytes: REPACK_LEAST_BYTES,
      limit: REPACK_AT_ONCE,
    });
    const runs = candidates.map((candidate) => ({
      ...candidate,
      // Two simultaneous watches queue the same run.
      id: `run_${candidate.itemId.slice(candidate.itemId.indexOf("_") + 1)}p${week.toString(36)}`,
      kind: "repack" as const,
      trigger: "system" as const,
      order: null,
      snapshotId: null,
      createdBy: null,
    }));
    await createRuns(ledger, runs, now);
    await s.queue.send(
      runs.map(({ id: runId, organisationId }) => ({
        job: "repack-item" as const,
        payload: { region: regionOf(shard), organisationId, runId, epoch: 0 },
      })),
    );
    done += runs.length;
    hasMore ||= runs.length === REPACK_AT_ONCE;
  }
  return { done, hasMore };
}

/**
 * Rewrites an item's packs of which less than half is alive: writes new packs, then updates the manifests in one batch;
 * `prune` deletes the old packs. It needs no lock, because any other change to the item makes the batch change nothing;
 * the run then waits and starts again. What exceeds one run is left to the item's next repack.
 */
export async function runRepack(s: VaultServices & RunServices, order: RunOrder): Promise<void> {
  await runSlice(s, order, { job: "repack-item", locks: null }, (slice) => repack(s, slice));
}

async function repack(s: VaultServices, slice: RunSlice): Promise<void> {
  const { run, ledger, region, hold } = slice;
  const key = { organisationId: run.organisationId, itemId: run.itemId };
  if (await hasOtherOpenRun(ledger, hold)) throw busy(s);
  const before = await listManifests(ledger, key);
  const vault = await openVault(s, { organisationId: run.organisationId, region });
  const unit = "objects" as const;
  await slice.progress({ phase: "Measuring packs", done: 0, total: null, unit });
  const uses = await measurePacks(vault, { scope: key, manifests: before });
  const known = await listPacks(ledger, key);
  const packs = choosePacks(known, uses);
  const isPack = packIds(known, uses);
  const { manifests: after, newBytes } =
    packs.size === 0
      ? { manifests: before, newBytes: 0 }
      : await repackManifests(vault, {
          scope: key,
          runId: run.id,
          manifests: before,
          packs,
          isPack: (id) => isPack.has(id),
          onProgress: (done, total) => slice.progress({ phase: "Rewriting packs", done, total, unit }),
        });
  const isDone = await commitRepack(ledger, {
    hold,
    before,
    after,
    now: s.clock.now(),
    bytesStored: newBytes,
    report: { packs: packs.size, freedBytes: freedBytes(known, packs) - newBytes },
  });
  if (!isDone) throw busy(s);
}

/** Waiting is not a failure: the run retries until the item is idle, or until it is too old. */
function busy(s: Uses<"clock">): ConnectorError {
  const retryAt = s.clock.now() + REPACK_BUSY_RETRY_MS;
  return new ConnectorError("rate-limited", "Other work on this item goes first.", { retryAt });
}

type KnownPack = Awaited<ReturnType<typeof listPacks>>[number];

/** Chooses the sparsest packs, as many as one run may hold. */
function choosePacks(known: readonly KnownPack[], uses: ReadonlyMap<string, PackUse>): Map<string, PackUse> {
  const measured = known.flatMap((pack) => {
    const use = uses.get(pack.id);
    return use && !pack.hasCompanion ? [{ ...pack, ...use }] : [];
  });
  const share = new Map(measured.map((pack) => [pack.id, pack.aliveBytes / pack.sizeBytes]));
  const chosen = new Map<string, PackUse>();
  let [bytes, blobs] = [0, 0];
  for (const id of planRepack(measured).sort((a, b) => share.get(a)! - share.get(b)!)) {
    const use = uses.get(id)!;
    bytes += use.aliveBytes;
    blobs += use.blobs;
    if (chosen.size > 0 && (bytes > REPACK_BYTES || blobs > REPACK_BLOBS)) break;
    chosen.set(id, use);
  }
  return chosen;
}

function packIds(known: readonly KnownPack[], uses: ReadonlyMap<string, PackUse>): ReadonlySet<string> {
  return new Set([...known.map(({ id }) => id), ...uses.keys()]);
}

function freedBytes(known: readonly KnownPack[], packs: ReadonlyMap<string, PackUse>): number {
  return known.reduce((sum, pack) => sum + (packs.has(pack.id) ? pack.sizeBytes : 0), 0);
}
