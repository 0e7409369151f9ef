import { listedDescription } from "#core/inventory/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { announceEnd, LostRunError, type RunSlice, supersedeRun } from "#core/runs/index.ts";
import type { Uses } from "#core/services.ts";
import { commitSnapshot, type SnapshotCommit } from "#core/versions/index.ts";
import { OBJECTS_PER_VERSION } from "./limits.ts";

/**
 * Makes a version visible, dated when its reading began, and updates open screens. If a backup that began later has
 * already committed, the run ends as superseded, so that an older state does not become the newest version. Screens
 * then show success, because the item has a newer version.
 *
 * @returns whether the version was published
 * @throws AppError `err.version.too.large` when it needs too many objects; earlier versions stay
 * @throws LostRunError when someone else has the run, or `prune` took an object that the version needs
 */
export async function publishVersion(
  s: Uses<"live">,
  { run, ledger, hold }: Pick<RunSlice, "run" | "ledger" | "hold">,
  version: Omit<SnapshotCommit, "hold" | "organisationId" | "takenAt">,
): Promise<boolean> {
  const { length } = version.draft.manifest.objects;
  if (length > OBJECTS_PER_VERSION) throw tooLarge(length);
  const takenAt = beganAt(run);
  const item = { ...version.item, description: listedDescription(version.item.description) };
  const commit = { ...version, item, hold, organisationId: run.organisationId, takenAt };
  if (await commitSnapshot(ledger, commit)) {
    const { newBytes, manifest } = version.draft;
    const end = { date: takenAt, size: newBytes, sizeBytes: manifest.sizeBytes, errorText: null };
    await announceEnd(s, run, "success", end);
    return true;
  }
  const laterAt = await supersedeRun(ledger, hold, version.committedAt);
  if (laterAt === null) throw new LostRunError(run.id);
  await announceEnd(s, run, "success", { date: laterAt, size: 0, errorText: null });
  return false;
}

const tooLarge = (objects: number) =>
  new AppError("err.version.too.large", {
    message:
      `This version would need ${objects.toLocaleString("en")} files in the vault, and ` +
      `${OBJECTS_PER_VERSION.toLocaleString("en")} is the most that one can have. The item's earlier versions are kept.`,
  });

/** When the reading of the run's version began, epoch ms. Set for every claimed run. */
export const beganAt = ({ beganAt: at, createdAt }: RunSlice["run"]): number => at ?? createdAt;
