import { announceEnd, LostRunError, type RunSlice, supersedeRun } from "#core/runs/index.ts";
import type { CoreServices } from "#core/services.ts";
import { commitSnapshot, type SnapshotCommit } from "#core/versions/index.ts";

/**
 * Makes a version visible, as of the moment its reading began, and tells the screens. A run that was overtaken by a
 * backup that began later ends as superseded: its older state must not become the newest version. To whoever watches,
 * the backup is done, for the item has what is newer.
 *
 * @returns Whether the version stands.
 * @throws LostRunError when someone else has the run, or an object that the version needs was taken by `prune`.
 */
export async function publishVersion(
  s: CoreServices,
  { run, ledger, hold }: Pick<RunSlice, "run" | "ledger" | "hold">,
  version: Omit<SnapshotCommit, "hold" | "organisationId" | "takenAt">,
): Promise<boolean> {
  const takenAt = beganAt(run);
  const commit = { ...version, hold, organisationId: run.organisationId, takenAt };
  if (await commitSnapshot(ledger, commit)) {
    await announceEnd(s, run, "success", { date: takenAt, size: version.draft.newBytes, errorText: null });
    return true;
  }
  const laterAt = await supersedeRun(ledger, hold, version.committedAt);
  if (laterAt === null) throw new LostRunError(run.id);
  await announceEnd(s, run, "success", { date: laterAt, size: 0, errorText: null });
  return false;
}

/** When the reading began that the run's version shows, epoch ms. Every claimed run has it. */
export const beganAt = ({ beganAt: at, createdAt }: RunSlice["run"]): number => at ?? createdAt;
