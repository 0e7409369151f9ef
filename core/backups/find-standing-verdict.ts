import { DAY_MS } from "#core/kernel/clock.ts";
import { logger } from "#core/kernel/logger.ts";
import type { RunSlice } from "#core/runs/index.ts";
import { type DraftResult, readSample, type VaultReadDeps } from "#core/vault/index.ts";
import { findObjects, type SnapshotRow } from "#core/versions/index.ts";
import { SAMPLED_OBJECTS, VERDICT_STANDS_MS } from "./limits.ts";
import { beganAt } from "./publish-version.ts";

const log = logger("backups");

/**
 * Finds out whether an unchanged version needs a check of its own. It does not while the check of the same manifest is
 * younger than a week, and a sample of its objects is sound: each day the next three objects, and of a large one another
 * part. If the sample cannot be read, for whatever reason, the version is checked whole.
 *
 * @param newest The item's newest sound version, as it was when the backup began. The commit looks again.
 * @returns The time since which a verdict stands, epoch ms. Absent = check the version.
 */
export async function findStandingVerdict(
  { run, ledger, countQueries }: RunSlice,
  vault: VaultReadDeps,
  { manifest, unchanged }: DraftResult,
  newest: SnapshotRow | null,
): Promise<number | undefined> {
  const scope = { organisationId: run.organisationId, itemId: run.itemId };
  const since = beganAt(run) - VERDICT_STANDS_MS;
  if (!unchanged || newest?.manifestId !== manifest.id || (newest.verifiedAt ?? 0) <= since) return undefined;
  try {
    const sample = sampleOf(manifest.objects, Math.floor(beganAt(run) / DAY_MS));
    countQueries(sample.length);
    const objects = await findObjects(
      ledger,
      scope.organisationId,
      sample.map(({ id }) => id),
    );
    for (const [at, { turn }] of sample.entries()) {
      const object = objects[at];
      if (!object) return undefined;
      await readSample(vault, { scope, object, turn });
    }
    return since;
  } catch (cause) {
    log.warn("a sample of {itemId} could not be read, so all of it is", { itemId: run.itemId, cause });
    return undefined;
  }
}

/** The objects of which a part is read on a day, and how often their turn has come before. */
export function sampleOf(objects: readonly string[], day: number): { id: string; turn: number }[] {
  const sorted = objects.toSorted();
  const first = day * SAMPLED_OBJECTS;
  const count = Math.min(SAMPLED_OBJECTS, sorted.length);
  return Array.from({ length: count }, (_, at) => ({
    id: sorted[(first + at) % sorted.length]!,
    turn: Math.floor((first + at) / sorted.length),
  }));
}
