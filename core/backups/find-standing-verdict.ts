import { DAY_MS } from "#core/kernel/clock.ts";
import { logger } from "#core/kernel/logger.ts";
import type { RunSlice } from "#core/runs/index.ts";
import { type DraftResult, readSample, type VaultReadDeps } from "#core/vault/index.ts";
import { findObject, hasStandingVerdict } from "#core/versions/index.ts";
import { VERDICT_STANDS_MS } from "./limits.ts";
import { beganAt } from "./publish-version.ts";

const log = logger("backups");

/**
 * Finds out whether an unchanged version needs a check of its own. It does not while the check of the same manifest is
 * younger than a week, and a sample of its objects is sound: each day another object, and of a large one another part. If
 * the sample cannot be read, for whatever reason, the version is checked whole.
 *
 * @returns The time since which a verdict stands, epoch ms. Absent = check the version.
 */
export async function findStandingVerdict(
  { run, ledger, countQueries }: RunSlice,
  vault: VaultReadDeps,
  { manifest, unchanged }: DraftResult,
): Promise<number | undefined> {
  const { organisationId, itemId } = run;
  if (!unchanged) return undefined;
  const since = beganAt(run) - VERDICT_STANDS_MS;
  countQueries(2);
  if (!(await hasStandingVerdict(ledger, { itemId, manifestId: manifest.id, since }))) return undefined;
  const objects = manifest.objects.toSorted();
  const day = Math.floor(beganAt(run) / DAY_MS);
  const id = objects[day % objects.length];
  if (id === undefined) return undefined;
  try {
    const object = await findObject(ledger, organisationId, id);
    if (!object) return undefined;
    const turn = Math.floor(day / objects.length);
    await readSample(vault, { scope: { organisationId, itemId }, object, turn });
    return since;
  } catch (cause) {
    log.warn("a sample of {itemId} could not be read, so all of it is", { itemId, object: id, cause });
    return undefined;
  }
}
