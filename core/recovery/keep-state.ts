import type { ItemRow } from "#core/inventory/index.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import type { RunSlice } from "#core/runs/index.ts";
import type { DraftResult, VaultDeps } from "#core/vault/index.ts";
import { findPlaceFacts, isStateDescribed } from "./recovery.store.ts";
import { describeState } from "./state-object.ts";

/** A backup about to commit. */
type Committing = {
  snapshotId: string;
  takenAt: number;
  committedAt: number;
  expiresAt: number;
  /** The result of the draft. */
  draft: DraftResult;
  item: ItemRow;
  /** The item as the platform describes it now. */
  current: { name: string; fullName: string; description: string | null; details: Json };
  bytesRead: number;
};

/**
 * Describes the state that a backup is about to commit, before it commits. An unchanged state is described already, unless
 * its description is gone or an earlier release took it. So a backup without a change writes nothing.
 *
 * A crash after it leaves an object that no row refers to: `prune` deletes it. A rebuild until then shows a version that
 * was complete, but had not been committed.
 *
 * @returns the id of the object for the commit; undefined when there was nothing to write
 */
export async function keepState(
  vault: VaultDeps,
  { run, ledger }: Pick<RunSlice, "run" | "ledger">,
  made: Committing,
): Promise<string | undefined> {
  const { draft, item, current } = made;
  const { id, root } = draft.manifest;
  if (draft.unchanged && (await isStateDescribed(ledger, { itemId: run.itemId, manifestId: id }))) return;
  const { snapshotId, takenAt, expiresAt, committedAt, bytesRead } = made;
  return describeState(vault, {
    scope: { organisationId: run.organisationId, itemId: run.itemId },
    state: {
      snapshot: { id: snapshotId, runId: run.id, takenAt, expiresAt, newBytes: draft.newBytes },
      manifest: { id, root },
      run: {
        trigger: run.trigger,
        createdAt: run.createdAt,
        createdBy: run.createdBy,
        committedAt,
        bytesRead,
      },
      item: {
        connectionId: item.connectionId,
        placeId: item.placeId,
        platform: item.platform,
        kind: item.kind,
        externalId: item.externalId,
        name: current.name,
        fullName: current.fullName,
        description: current.description,
        details: current.details,
        isDaily: item.isDaily,
        dailyChanges: [...item.dailyChanges],
        isPausedByPlan: item.isPausedByPlan,
        alarmLostPercent: item.alarmLostPercent,
        alarmLostCount: item.alarmLostCount,
        createdAt: item.createdAt,
      },
      place: await findPlaceFacts(ledger, item.placeId),
    },
  });
}
